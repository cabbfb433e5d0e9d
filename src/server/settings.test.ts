// Every setting is described to operators, and reaches a server in a container.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { settingNames } from './config.ts';
import { createTestFolder } from './testing/folder.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('the guide for operators names every setting', () => {
  const guide = read('docs/operating.md') + read('docs/single-sign-on.md');
  expect(settingNames.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});

test('compose.yaml passes every setting', () => {
  const [, service = ''] = /^ {2}reports:\n(.*?)^ {2}\w/ms.exec(read('compose.yaml')) ?? [];
  const named = [...service.matchAll(/^ {6}([A-Z][A-Z\d_]*):/gm)].map(([, name = '']) => name);
  expect(named.filter((name) => !settingNames.includes(name))).toEqual([]);
  // Those that are not named there come from this file. A misspelled or missing name would lose them without a word.
  expect(service).toContain('env_file: [{ path: reports.env, required: false }]');
  for (const [name, port] of [
    ['PORT', 3000],
    ['GUEST_PORT', 3001],
  ] as const) {
    expect(service).toContain(`      ${name}: ${port}\n`);
    expect(service).toMatch(new RegExp(`^ {4}ports: .*:${port}"`, 'm'));
  }
});

/** Runs Caddy on deploy/Caddyfile, with the settings that compose.yaml gives it. */
function runCaddy(command: string, hosts: Record<string, string>) {
  const home = createTestFolder();
  const compose = read('compose.yaml');
  const servers = ['APP_SERVER', 'GUEST_SERVER'].map((name) => [name, new RegExp(`${name}: (.*)`).exec(compose)?.[1]]);
  const file = fileURLToPath(new URL('../../deploy/Caddyfile', import.meta.url));
  const { status, stdout, stderr } = spawnSync('caddy', [command, '--config', file, '--adapter', 'caddyfile'], {
    env: { PATH: process.env.PATH, HOME: home, ...Object.fromEntries(servers), ...hosts },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('Caddy accepts its settings, and leads each host to its port of the service', () => {
  const hosts = { APP_HOST: 'reports.example.com', GUEST_HOST: 'safe.example.com' };
  const { status, stderr } = runCaddy('validate', hosts);
  expect(status, stderr).toBe(0);
  const { routes } = JSON.parse(runCaddy('adapt', hosts).stdout).apps.http.servers.srv0;
  const lines = (routes as { match: [{ host: string[] }] }[]).map((route) => [
    route.match[0].host,
    /"dial":"([^"]*)"/.exec(JSON.stringify(route))?.[1],
  ]);
  expect(lines.toSorted()).toEqual([
    [['reports.example.com'], 'reports:3000'],
    [['safe.example.com'], 'reports:3001'],
  ]);
});

test('compose.yaml trusts the address that Caddy has, and none without it', () => {
  const compose = read('compose.yaml');
  const [, address = ''] = /ipv4_address: ([\d.]+)/.exec(compose) ?? [];
  expect(address).not.toBe('');
  expect(compose).toContain(`TRUST_PROXY: \${TRUST_PROXY:-\${APP_HOST:+${address}}}`);
  expect(compose).toContain(`PUBLIC_URL: \${PUBLIC_URL:-\${APP_HOST:+https://\${APP_HOST}}}`);
  expect(compose).toContain('./deploy/Caddyfile:/etc/caddy/Caddyfile:ro');
});
