// The page and the files for installation on a device, with the settings that the server inserts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { createTestFolder } from '../testing/folder.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { registerBuiltPages } from './pages.ts';

const screens = createTestFolder();
writeFileSync(
  join(screens, 'index.html'),
  '<!doctype html><title>%OPERATOR_NAME%</title><meta name="privacy-notice" content="%PRIVACY_NOTICE_URL%"><meta name="password-min" content="%PASSWORD_MIN%"><meta name="address-set" content="%ADDRESS_SET%"><meta name="passkey-host" content="%PASSKEY_HOST%"><meta name="guest-url" content="%GUEST_URL%"><meta name="provider-label" content="%PROVIDER_LABEL%">',
);
writeFileSync(join(screens, 'manifest.webmanifest'), '{ "name": "%OPERATOR_NAME%", "start_url": "/" }');
writeFileSync(join(screens, 'sw.js'), 'keep("/index.html", "%REVISION%");');
writeFileSync(
  join(screens, 'screens.json'),
  JSON.stringify({ '/login': '', '/audit/:id': '</assets/audit-1a2b.js>; rel=modulepreload' }),
);
writeFileSync(join(screens, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
const otherLogo = join(screens, 'other.svg');
writeFileSync(otherLogo, '<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>');

let server: TestServer | undefined;
afterEach(() => server?.stop());

async function get(path: string, settings: Record<string, string> = {}, clock = () => new Date()) {
  server = await startTestServer('sqlite', settings, clock, (...to) => registerBuiltPages(...to, screens));
  const { status, headers, ...response } = await server.anonymous.fetch(path).then(async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    text: await answer.text(),
  }));
  return { status, type: headers.get('content-type'), cacheControl: headers.get('cache-control'), ...response };
}

test("the web app manifest has the operator's name, whatever characters it contains", async () => {
  const { status, type, cacheControl, text } = await get('/manifest.webmanifest', {
    OPERATOR_NAME: 'Mab & Sons "Parks" \\ $& Ŵ',
  });
  expect([status, type, cacheControl]).toEqual([200, 'application/manifest+json; charset=utf-8', 'no-cache']);
  expect(JSON.parse(text)).toEqual({ name: 'Mab & Sons "Parks" \\ $& Ŵ', start_url: '/' });
});

test('the page contains the minimum password length of the settings', async () => {
  expect((await get('/login')).text).toContain('name="password-min" content="8"');
  expect((await get('/login', { STRICT: '1' })).text).toContain('name="password-min" content="15"');
});

test('the page says whether the address of the server is set', async () => {
  expect((await get('/login')).text).toContain('name="address-set" content=""');
  expect((await get('/login', { PUBLIC_URL: 'https://park.example' })).text).toContain(
    'name="address-set" content="1"',
  );
});

test('no setting can add anything else to the page', async () => {
  const name = `Sea "Parks" & <b>'s</b>`;
  const settings = {
    PUBLIC_URL: 'https://a"&b.example',
    GUEST_URL: 'http://c"&d.example',
    PRIVACY_NOTICE_URL: 'http://e.example/"&<>',
  };
  const provider = {
    OIDC_ISSUER: 'https://login.example',
    OIDC_CLIENT_ID: 'a',
    OIDC_CLIENT_SECRET: 'b',
    OIDC_LABEL: name,
  };
  const { text } = await get('/login', { OPERATOR_NAME: name, ...settings, ...provider });
  const metas = text.matchAll(/<meta name="(.*?)" content="(.*?)">/g);
  const read = (escaped = '') => escaped.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code));
  expect(Object.fromEntries(metas.map(([, meta = '', content]) => [meta, read(content)]))).toEqual({
    'privacy-notice': settings.PRIVACY_NOTICE_URL,
    'password-min': '8',
    'address-set': '1',
    'passkey-host': 'a"&b.example',
    'guest-url': settings.GUEST_URL,
    'provider-label': name,
  });
  expect(text).not.toMatch(/<b>|&(?!#)/);
});

test('the service worker changes exactly when the page, its headers or the logo do', async () => {
  const workers: string[] = [];
  const all: Record<string, string>[] = [
    {},
    {},
    { OPERATOR_NAME: 'Others' },
    { PRIVACY_NOTICE_URL: 'https://park.example/privacy' },
    { PUBLIC_URL: 'https://park.example' },
    { OPERATOR_LOGO: otherLogo },
  ];
  for (const settings of all) {
    const { status, type, cacheControl, text } = await get('/sw.js', settings);
    expect([status, type, cacheControl]).toEqual([200, 'text/javascript; charset=utf-8', 'no-cache']);
    expect(text).toMatch(/^keep\("\/index\.html", "[0-9a-f]{16}"\);$/);
    workers.push(text);
    await server?.stop();
    server = undefined;
  }
  expect(workers[1]).toBe(workers[0]);
  expect(new Set(workers).size).toBe(all.length - 1);
});

test('OFFLINE=0 replaces the service worker by the kill switch', async () => {
  const { text } = await get('/sw.js', { OFFLINE: '0' });
  expect(text).toContain('caches.delete(name)');
  expect(text).not.toContain('keep(');
});

test('background checks for updates do not extend a session', async () => {
  let now = Date.now();
  await get('/', {}, () => new Date(now));
  const reviewer = await (server as TestServer).as('Admin');
  const minutes = 60_000;
  now += 55 * minutes;
  for (const path of ['/sw.js', '/index.html', '/operator-logo', '/manifest.webmanifest'])
    expect((await reviewer.fetch(path)).status).toBe(200);
  now += 10 * minutes;
  await expect(reviewer(api.getSession)).rejects.toMatchObject({ status: 401 });
});

test("a page preloads the logo, its screen's files and, with a cookie, the session and the first list", async () => {
  await get('/');
  const { anonymous, as } = server as TestServer;
  const staff = await as('None');
  const getLink = async (person: typeof anonymous, path: string) => (await person.fetch(path)).headers.get('link');
  const logo = '</operator-logo>; rel=preload; as=image; fetchpriority=high';
  const files = '</assets/audit-1a2b.js>; rel=modulepreload';
  const sessionPreload = '</api/protected>; rel=preload; as=fetch; crossorigin';
  expect(await getLink(anonymous, '/login')).toBe(logo);
  expect(await getLink(anonymous, '/nowhere')).toBe(logo);
  expect(await getLink(anonymous, '/audit/0a1b?from=x')).toBe(`${logo}, ${files}`);
  expect(await getLink(anonymous, '/audit/0a1b/more')).toBe(logo);
  expect(await getLink(staff, '/login')).toBe(`${logo}, ${sessionPreload}`);
  expect(await getLink(staff, '/audit/0a1b/')).toBe(`${logo}, ${files}, ${sessionPreload}`);
  const foldersPreload = '</api/audit-folders>; rel=preload; as=fetch; crossorigin';
  expect(await getLink(staff, '/audits')).toBe(`${logo}, ${sessionPreload}, ${foldersPreload}`);
  expect(await getLink(staff, '/checklists')).not.toContain('/api/checklists');
  expect(await getLink(staff, '/audits?tab=open')).toBe(`${logo}, ${sessionPreload}`);
  expect(await getLink(anonymous, '/audits')).toBe(logo);
  expect((await anonymous.fetch('/screens.json')).headers.get('content-type')).toContain('text/html');
});

test.each([
  [
    'Safari',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1',
    false,
  ],
  ['Chrome', 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36', true],
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0', true],
])('%s is told to preload the session only if its fetch uses preloads', async (_, userAgent, isPreloaded) => {
  await get('/');
  const staff = await (server as TestServer).as('None');
  const response = await staff.fetch('/login', { headers: { 'user-agent': userAgent } });
  expect(response.headers.get('link')?.includes('</api/protected>')).toBe(isPreloaded);
});
