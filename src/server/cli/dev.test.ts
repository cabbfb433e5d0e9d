// `npm run dev`, which the tour uses.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { api } from '#shared/api.ts';

test('npm run dev serves each module however many a minute, and prints the address of a label', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dev-'));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'dev.ts')], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', DEMO_DAYS: '2', RATE_PER_ADDRESS: '5' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let output = '';
    // The server still writes to it afterwards.
    for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
      output += text;
      if (output.includes('Guests')) break;
    }
    child.stdout.resume();
    const address = /Ready at (\S+)/.exec(output)?.[1] ?? '';
    expect(output).toMatch(/Guests send messages at http:\/\/localhost:\d+\/h\/[0-9A-Z]{10}, the label of \S/);
    const load = async (path: string) => (await fetch(`${address}${path}`)).status;
    for (let number = 1; number <= 20; number += 1) expect(await load(`/ui/theme/theme.ts?t=${number}`)).toBe(200);
    // Requests to the server still count.
    const calls = await Promise.all(Array.from({ length: 20 }, () => load(api.getSession.path)));
    expect(calls).toContain(429);
  } finally {
    child.kill();
    await once(child, 'exit');
    await rm(folder, { recursive: true });
  }
});
