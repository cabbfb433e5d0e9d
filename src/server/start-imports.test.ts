import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Prints the address of each module that is loaded with the server. */
const program = `
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) { console.log(url); return next(url, context); } });
  await import(${JSON.stringify(join(import.meta.dirname, 'start.ts'))});`;

const loadedLater = [
  ...[
    '@aws-sdk',
    '@myriaddreamin',
    '@simplewebauthn',
    'age-encryption',
    'csv-stringify',
    'nodemailer',
    'openid-client',
  ],
  ...[
    'pg',
    'prom-client',
    'sharp',
    'web-push',
    'migrations',
    'xlsx.ts',
    'identifiers.ts',
    'shipped-cases.ts',
    'testing',
  ],
];

test('a start loads no library or file that only some servers or tasks need', () => {
  const loaded = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  const names = new Set(loaded.split(/[/\n]/));
  expect([...names]).toContain('fastify');
  expect(loadedLater.filter((name) => names.has(name))).toEqual([]);
});
