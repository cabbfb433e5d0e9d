// Chromium as a separate process with its data in a folder, so that it can be killed and restarted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type BrowserContext, chromium } from '@playwright/test';

export type KillableBrowser = {
  context: BrowserContext;
  /** Returns the text that the browser has logged so far. */
  getLog(): string;
  kill(): Promise<void>;
};

export async function startBrowser(folder: string): Promise<KillableBrowser> {
  const options = [
    '--headless',
    '--no-sandbox',
    '--no-first-run',
    '--enable-logging=stderr',
    '--remote-debugging-port=0',
    `--user-data-dir=${folder}`,
  ];
  const child = spawn(process.env.CHROMIUM_PATH ?? '', [...options, 'about:blank'], {
    // A separate process group, so that its child processes are killed with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exitEvent = once(child, 'exit');
  let log = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const [, foundAddress] = /DevTools listening on (\S+)/.exec(log) ?? [];
      if (foundAddress) resolve(foundAddress);
    });
    void exitEvent.then(() => reject(new Error(log)));
  });
  const browser = await chromium.connectOverCDP(address);
  const [context] = browser.contexts();
  if (!context) throw new Error('This browser has no context');
  return {
    context,
    getLog: () => log,
    async kill() {
      process.kill(-(child.pid as number), 'SIGKILL');
      await exitEvent;
    },
  };
}
