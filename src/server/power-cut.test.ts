import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createTestFolder } from './testing/folder.ts';
import { mutantNames } from './testing/power-cut/mutants.ts';
import { runPowerCutRounds } from './testing/power-cut/rounds.ts';
import { startProcess } from './testing/process.ts';
import { jsonPost } from './testing/requests.ts';
import { password } from './testing/server.ts';

test('a power cut loses no acknowledged change and damages no data', { timeout: 300_000 }, async () => {
  const figures = await runPowerCutRounds({ rounds: 1, disksPerRound: 30, requests: 500 });
  expect(figures).toMatchObject({ rounds: 1, disks: 30, serverStarts: 1 });
  expect(figures.inCheckpoint).toBeGreaterThan(0);
  expect(figures.afterRestart).toBeGreaterThan(0);
});

test.each(mutantNames)('the power-cut test detects the mutant "%s"', { timeout: 300_000 }, async (mutant) => {
  const cut = runPowerCutRounds({ rounds: 3, disksPerRound: 40, requests: 100, mutant });
  await expect(cut).rejects.toMatchObject({ name: 'Lost' });
});

test('a failed disk sync ends the server, and waiting clients get no response', { timeout: 60_000 }, async () => {
  const folder = createTestFolder(onTestFinished);
  const strace = ['strace', '-f', '-q', '-e', 'signal=none', '-e', 'trace=fdatasync', '-o', '/dev/null'];
  const wrapperCommand = [...strace, '-e', 'inject=fdatasync:error=EIO'];
  const server = await startProcess(
    { DATA_DIR: folder, ADMIN_PASSWORD: password, LOG_LEVEL: 'fatal' },
    { wrapperCommand },
  );
  const exitEvent = once(server.child, 'exit');
  const response = await fetch(`${server.url}/api/login`, jsonPost({ username: 'admin', password })).catch(
    () => undefined,
  );
  expect(response).toBeUndefined();
  expect(await exitEvent).toEqual([1, null]);
  expect(server.output()).toContain('the disk could not be synced');
});
