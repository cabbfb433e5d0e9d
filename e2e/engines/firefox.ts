// Firefox, driven by WebDriver BiDi (https://w3c.github.io/webdriver-bidi), which it supports
// without a driver program. Playwright's own support for an unmodified Firefox is experimental.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, viewport } from './browser.ts';
import { toScript } from './in-page.ts';

const preferences = {
  // Stops Firefox's requests to Mozilla, such as its connection check.
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
};

/** Firefox's message about a file that the service worker was loading for a page that was left. */
const ignoredErrors = /A ServiceWorker intercepted the request and encountered an unexpected error/;

export type Firefox = {
  /** Opens a tab with cookies and storage of its own. */
  openTab(): Promise<Browser>;
  close(): Promise<void>;
};

export async function startFirefox(): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  const lines = Object.entries(preferences).map((pair) => `user_pref(${JSON.stringify(pair).slice(1, -1)});\n`);
  await writeFile(join(profile, 'user.js'), lines.join(''));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'];
  const firefox = spawn('firefox-esr', args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TZ: 'Europe/London' },
  });
  const connection = await connect(`${await readAddress(firefox)}/session`);
  await connection.send('session.new', { capabilities: {} });
  await connection.send('session.subscribe', { events: ['log.entryAdded'] });

  return {
    openTab: () => openTab(connection),
    async close() {
      await connection.send('browser.close', {});
      if (firefox.exitCode === null) await once(firefox, 'exit');
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function openTab({ send, subscribe }: Connection): Promise<Browser> {
  const { userContext } = await send('browser.createUserContext', {});
  const { context } = await send('browsingContext.create', { type: 'tab', userContext });
  await send('browsingContext.setViewport', { context, viewport });
  const consoleErrors: string[] = [];
  subscribe('log.entryAdded', ({ level, text }) => {
    if ((level === 'error' || level === 'warn') && !ignoredErrors.test(text)) consoleErrors.push(text);
  });

  return {
    consoleErrors,
    async open(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' });
    },
    async reload() {
      await send('browsingContext.reload', { context, wait: 'complete' });
    },
    async run(name, ...args) {
      const { type, result, exceptionDetails } = await send('script.evaluate', {
        target: { context },
        expression: toScript(name, args),
        awaitPromise: true,
      });
      if (type === 'exception') throw new Error(exceptionDetails.text);
      return JSON.parse(result.value);
    },
    async perform(actions) {
      await send('input.performActions', { context, actions: [actions] });
    },
    async pickFiles(selector, files) {
      const { nodes } = await send('browsingContext.locateNodes', {
        context,
        locator: { type: 'css', value: selector },
      });
      await send('input.setFiles', { context, element: { sharedId: nodes[0].sharedId }, files });
    },
    async close() {
      await send('browser.removeUserContext', { userContext });
    },
  };
}

/** Firefox prints the URL of its BiDi socket on stderr. */
async function readAddress({ stderr }: ChildProcess) {
  if (!stderr) throw new Error('no error stream');
  for await (const line of createInterface({ input: stderr })) {
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (address) {
      stderr.resume();
      return address;
    }
  }
  throw new Error('Firefox did not start');
}

// biome-ignore lint/suspicious/noExplicitAny: WebDriver BiDi defines each result
type Message = Record<string, any>;

type Connection = {
  send(method: string, params: object): Promise<Message>;
  /** Replaces an earlier listener for the event. */
  subscribe(method: string, listener: (event: Message) => void): void;
};

async function connect(address: string): Promise<Connection> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const waiting = new Map<number, { resolve(result: Message): void; reject(error: Error): void }>();
  const listeners = new Map<string, (event: Message) => void>();
  let lastId = 0;

  socket.addEventListener('message', ({ data }) => {
    const { type, id, method, params, result, error, message } = JSON.parse(data);
    if (type === 'event') listeners.get(method)?.(params);
    else if (type === 'success') waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(`${error}: ${message}`));
    waiting.delete(id);
  });
  const send = (method: string, params: object) =>
    new Promise<Message>((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
  const subscribe = (method: string, listener: (event: Message) => void) => listeners.set(method, listener);
  return { send, subscribe };
}
