// Chromium as a separate process with its data in a folder, so that it can be killed and restarted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type BrowserContext, chromium } from '@playwright/test';

export type KillableBrowser = { context: BrowserContext; kill(): Promise<void> };

export async function startBrowser(folder: string): Promise<KillableBrowser> {
  const options = [
    '--headless',
    '--no-sandbox',
    '--no-first-run',
    '--remote-debugging-port=0',
    `--user-data-dir=${folder}`,
  ];
  const child = spawn(process.env.CHROMIUM_PATH ?? '', [...options, 'about:blank'], {
    // A separate process group, so that its child processes are killed with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exitEvent = once(child, 'exit');
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.on('error', reject);
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      const [, found] = /DevTools listening on (\S+)/.exec(text) ?? [];
      if (found) resolve(found);
    });
    void exitEvent.then(() => reject(new Error(text)));
  });
  const browser = await chromium.connectOverCDP(address);
  const [context] = browser.contexts();
  if (!context) throw new Error('This browser has no context');
  return {
    context,
    async kill() {
      process.kill(-(child.pid as number), 'SIGKILL');
      await exitEvent;
    },
  };
}
