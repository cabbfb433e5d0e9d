// No path leads out of the served folders.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { registerBuiltPages } from '../pages/pages.ts';
import { newReport, uploadPhoto } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { createRawRequest, sendRaw } from '../testing/raw.ts';
import { jsonPost } from '../testing/requests.ts';
import { createTestServer } from '../testing/test-server.ts';

const canary = 'canary-8d1f';
const outsideFolder = createTestFolder();
const screens = join(outsideFolder, 'dist');
let photo: string;

const { server } = createTestServer('sqlite', {}, undefined, (...to) => registerBuiltPages(...to, screens));
const staff = server.user('None');
const reviewer = server.user('Admin');
beforeAll(async () => {
  mkdirSync(join(screens, 'assets'), { recursive: true });
  writeFileSync(join(screens, 'index.html'), '<!doctype html>');
  writeFileSync(join(screens, 'assets/app.js'), '');
  for (const relativePath of ['canary.txt', 'dist/.canary.txt'])
    writeFileSync(join(outsideFolder, relativePath), canary);
  photo = await uploadPhoto(staff);
  for (const relativePath of ['canary.txt', 'uploads/canary.txt', 'uploads/2026/canary.jpg']) {
    mkdirSync(join(server.folder, relativePath, '..'), { recursive: true });
    writeFileSync(join(server.folder, relativePath), canary);
  }
});

const parentPaths = [
  ...['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '%2E%2E%2F', '.%2e/', '%252e%252e%252f', '..%252f', '..%5c', '..\\'],
  ...['%2e%2e%5c', '..%c0%af', '%c0%ae%c0%ae/', '..%ef%bc%8f', '..;/', '..//', './../', '..%00/', '.%00./', '....//'],
  ...['%u002e%u002e/', '%uff0e%uff0e/', '..%0d%0a/', '..%09/', '%%32%65%%32%65/', '..%u2215', '..%c1%9c'],
];
const targets = ['canary.txt', 'etc/passwd', 'park-reports.sqlite', 'package.json', '.canary.txt'];
const traversals = [
  '/uploads/',
  '/uploads/2026/01/',
  '/assets/',
  '/',
  '/api/',
  '/api/reports/',
  '/operator-logo/',
].flatMap((base) =>
  parentPaths.flatMap((up) => [1, 3].map((times) => base + up.repeat(times) + targets[times % targets.length])),
);
const others = [
  ...[
    '/uploads//etc/passwd',
    '/uploads/canary.txt',
    '/uploads/2026/canary.jpg',
    '/uploads/%2fetc%2fpasswd',
    '//etc/passwd',
  ],
  ...[
    '/uploads/C:%5cwindows%5cwin.ini',
    '/uploads/~root/.ssh/id_rsa',
    '/.canary.txt',
    '/assets/.canary.txt',
    '/.env',
    '/.git/config',
  ],
  ...[
    '/uploads/',
    '/uploads/.',
    '/uploads/..',
    '/uploads/.unfinished/',
    '/assets/',
    '/assets/..',
    '/src/server/main.ts',
  ],
  ...[
    '/canary.txt',
    '/dist/canary.txt',
    '/node_modules/fastify/package.json',
    '/park-reports.sqlite',
    `/uploads/${'a/'.repeat(900)}`,
  ],
];

test('a path traversal never returns a file outside the served folders', async () => {
  expect(traversals.length + others.length).toBeGreaterThan(150);
  const paths = [...traversals, ...others];
  for (let at = 0; at < paths.length; at += 40)
    await Promise.all(
      paths.slice(at, at + 40).map(async (path) => {
        const response = await sendRaw(
          server.url,
          createRawRequest(`GET ${path} HTTP/1.1\nCookie: ${reviewer.cookie}`),
        );
        expect(response.body).not.toContain(canary);
        expect(response.body).not.toContain('root:');
        if (/^\/+(uploads|api|assets)/.test(path)) expect([path, response.status]).not.toEqual([path, 200]);
        // Any other path returns index.html, the page of the app.
        if (response.status === 200) expect([path, response.body]).toEqual([path, '<!doctype html>']);
        else expect([path, [400, 404].includes(response.status)]).toEqual([path, true]);
      }),
    );
});

test('an uploaded file is served at its exact path only', async () => {
  const photoName = photo.slice('/uploads/'.length);
  expect((await staff.fetch(photo)).status).toBe(200);
  for (const path of [
    `/uploads//${photoName}`,
    `/uploads/./${photoName}`,
    `/uploads/x/../${photoName}`,
    `/uploads/${photoName}/`,
    `/uploads/${photoName}%00`,
    `/uploads/${photoName}%00.png`,
    `/uploads/${photoName};a=b`,
    `/uploads/${photoName.replace('/', '%2f')}`,
    `/uploads/${photoName.replace(/.jpg$/, '.%6apg')}`,
    `/uploads/${photoName.toUpperCase()}`,
    `/uploads/${photoName.replace(/jpg$/, 'png')}`,
    `/Uploads/${photoName}`,
    `/%75ploads/${photoName}x`,
  ]) {
    const response = await sendRaw(server.url, createRawRequest(`GET ${path} HTTP/1.1\nCookie: ${staff.cookie}`));
    expect([path, response.status]).toEqual([path, 404]);
  }
});

test("a path outside the uploads is rejected as a report's photo", async () => {
  const paths = [
    '/uploads/../canary.txt',
    '../canary.txt',
    '/etc/passwd',
    'file:///etc/passwd',
    `${photo}/../x`,
    `${photo}%00`,
    `${photo}\n`,
  ];
  for (const path of paths) {
    const response = await staff.fetch(
      '/api/submit-accident',
      jsonPost({ ...(await newReport(staff)), mediaFiles: [{ path }] }),
    );
    expect([path, response.status]).toEqual([path, 400]);
  }
});
