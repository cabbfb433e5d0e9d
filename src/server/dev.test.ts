import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { demoUsers } from './demo/season.ts';
import { signInAt } from './testing/server.ts';

test('npm run dev starts once and prints working logins', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dev-'));
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, ['scripts/dev.mjs'], {
    env: { PATH, DATA_DIR: folder, PORT: '0', HOST: '127.0.0.1', DEMO_DAYS: '30' },
    // A separate process group, which is killed as a whole.
    detached: true,
  });
  const exitEvent = once(child, 'exit');
  let output = '';
  try {
    await new Promise<void>((resolve, reject) => {
      const findLogins = (text: Buffer) => {
        output += text;
        if (output.includes('Restarting')) reject(new Error(output));
        if (/^ {2}dewi .*\n/m.test(output)) resolve();
      };
      child.stdout.on('data', findLogins);
      child.stderr.on('data', findLogins);
      child.once('exit', () => reject(new Error(output)));
    });
    const [, port] = /Ready at \S+?:(\d+)/.exec(output) ?? [];
    const [, password = ''] = /Sign in with the password (\S+) as/.exec(output) ?? [];
    const logins = [...output.matchAll(/^ {2}(\w+) +(?:Admin|Health & Safety Manager|park staff)/gm)];
    const names = logins.map(([, name = '']) => name);
    expect(names).toEqual(['admin', ...demoUsers.map(({ username }) => username)]);
    const url = `http://127.0.0.1:${port}`;
    for (const name of names) {
      const client = await signInAt(url, name, '', password);
      expect((await client(api.getSession)).user.username).toBe(name);
    }
    const { ready } = await (await signInAt(url, 'sian', '', password))(api.listDueChecks, { query: {} });
    expect(ready.map(({ gate }) => gate)).toEqual(['Indoor pool', 'Outdoor pool']);
    const page = await (await fetch(url)).text();
    expect(page).toContain('/@vite/client');
    expect(page).toContain('<title>Holiday Parks</title>');
    expect(output).not.toContain('Restarting');
  } finally {
    process.kill(-(child.pid as number));
    await exitEvent;
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);
