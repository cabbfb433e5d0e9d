import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../config.ts';
import { createTestFolder } from '../testing/folder.ts';
import { startProcess } from '../testing/process.ts';
import { describeStart } from './start-lines.ts';

const address = { address: '192.168.1.20', family: 'IPv4', internal: false } as never;
const loopback = { address: '127.0.0.1', family: 'IPv4', internal: true } as never;
const started = { address: 'http://localhost:3000', port: 3000, firstPassword: 'abcd', networks: {} };
const networks = { lo: [loopback], eth0: [address] };
const nearby = 'From a phone in the same network: http://192.168.1.20:3000';

test('a started server says where the records are, its addresses and the first password', () => {
  expect(describeStart(parseConfig({ DATA_DIR: '/srv/data' }), { ...started, networks })).toEqual([
    'Records are in /srv/data/park-reports.sqlite',
    'Ready at http://localhost:3000',
    nearby,
    'Sign in as admin with the password abcd',
    'You will not see this password again. Change it after signing in.',
  ]);
  const lines = describeStart(parseConfig({ DATABASE_URL: 'postgres://a:secret@b/c' }), {
    ...{ ...started, firstPassword: undefined, networks },
  });
  expect(lines).toEqual(['Records are in PostgreSQL, as DATABASE_URL says', 'Ready at http://localhost:3000', nearby]);
});

test.each([{ PUBLIC_URL: 'https://reports.example.com' }, { HOST: '127.0.0.1' }])(
  'a started server names no address for phones that cannot use it (%o)',
  (settings) => {
    expect(describeStart(parseConfig(settings), { ...started, networks })).not.toContain(nearby);
  },
);

test('a server in a terminal writes few lines that a person reads, and no JSON', async () => {
  const folder = createTestFolder(onTestFinished);
  const terminal = ['python3', '-c', 'import pty, sys; pty.spawn(sys.argv[1:])'];
  const settings = { DATA_DIR: folder, LOG_LEVEL: 'info' };
  const server = await startProcess(settings, { wrapperCommand: terminal });
  try {
    await expect.poll(server.output).toContain('Change it after signing in.');
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const lines = server.output().trim().split('\n');
    expect(lines.length).toBeLessThanOrEqual(7);
    expect(server.output()).not.toContain('{');
  } finally {
    await server.end();
  }
  expect(server.output()).not.toContain('{');
});
