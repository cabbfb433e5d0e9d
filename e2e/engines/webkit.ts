// WebKitGTK, whose engine is the one of Safari and other browsers on an iPhone, driven by WebDriver
// (https://www.w3.org/TR/webdriver2) on a virtual screen.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { findFreePort } from '../../src/server/testing/free-port.ts';
import { type Browser, viewport } from './browser.ts';
import { toScript } from './in-page.ts';

/**
 * Console messages about a directive that WebKit does not know, failed requests, a service worker
 * registration or a use of its cache interrupted by a navigation, and preloaded files that a busy
 * machine uses late.
 */
const ignoredErrors = new RegExp(
  [
    "'manifest-src'",
    '^CONSOLE NETWORK',
    '/sw\\.js due to access control checks',
    'Cache API operation failed: Context is stopped',
    'preload but not used within a few seconds',
  ].join('|'),
);

/** The property of WebDriver's JSON that identifies an element. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

export async function startWebKit(): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'webkit-'));
  const screen = `${viewport.width}x${viewport.height}x24`;
  const xvfb = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [display] = await once(createInterface({ input: xvfb.stdio[3] as Readable }), 'line');
  const port = await findFreePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      DISPLAY: `:${display}`,
      GDK_BACKEND: 'x11',
      LIBGL_ALWAYS_SOFTWARE: '1',
      TZ: 'Europe/London',
    },
  });
  const consoleErrors: string[] = [];
  // The browser writes its console to the stderr inherited from the driver.
  createInterface({ input: driver.stderr }).on('line', (line) => {
    if (/^CONSOLE .*(ERROR|WARN)/.test(line) && !ignoredErrors.test(line)) consoleErrors.push(line);
  });
  const { send } = await connect(`http://127.0.0.1:${port}`);
  const { sessionId } = await send('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': {
          binary: join(import.meta.dirname, 'webkit-phone.py'),
          args: [folder, `${viewport.width}`, `${viewport.height}`],
        },
      },
    },
  });
  const session = `/session/${sessionId}`;

  return {
    consoleErrors,
    open: (url) => send('POST', `${session}/url`, { url }),
    reload: () => send('POST', `${session}/refresh`),
    run: async (name, ...args) =>
      JSON.parse(await send('POST', `${session}/execute/sync`, { script: `return ${toScript(name, args)}`, args: [] })),
    perform: (actions) => send('POST', `${session}/actions`, { actions: [actions] }),
    async pickFiles(selector, paths) {
      const found = await send('POST', `${session}/element`, { using: 'css selector', value: selector });
      await send('POST', `${session}/element/${found[elementKey]}/value`, { text: paths.join('\n') });
    },
    async close() {
      await send('DELETE', session);
      driver.kill();
      xvfb.kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function connect(address: string) {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (await fetch(`${address}/status`).catch(() => undefined)) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // biome-ignore lint/suspicious/noExplicitAny: WebDriver defines each result
  const send = async (method: 'POST' | 'DELETE', path: string, body: object = {}): Promise<any> => {
    const response = await fetch(address + path, { method, ...(method === 'POST' && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
  return { send };
}
