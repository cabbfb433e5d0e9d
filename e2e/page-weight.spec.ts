// Which files the screens load, and how large they are.
import { gzipSync } from 'node:zlib';
import { expect, test } from './server.ts';

/** The maximum gzipped size of the scripts and the stylesheet that the sign-in screen loads. */
const maxBytes = 145_000;

const readText = async (url: string) => (await fetch(url)).text();

test('the sign-in screen loads few bytes, and only screens with a form load the outbox', {
  tag: '@once',
}, async ({ page, context, server }) => {
  const { headers } = await fetch(`${server.url}/login`);
  const links = [...(headers.get('link') ?? '').matchAll(/<(\/assets\/[^>]+)>/g)].map(([, path]) => path);
  expect(links.length).toBeGreaterThan(3);
  const files = await Promise.all(links.map((path) => readText(`${server.url}${path}`)));
  expect(files.reduce((total, text) => total + gzipSync(text).length, 0)).toBeLessThan(maxBytes);

  const requestedFiles = new Set<string>();
  page.on('request', (request) => {
    if (request.url().includes('/assets/')) requestedFiles.add(request.url());
  });
  const hasOutbox = async () =>
    (await Promise.all([...requestedFiles].map(readText))).some((text) => /BroadcastChannel\(.outbox.\)/.test(text));
  const [name = '', value = ''] = (await server.as('Admin')).cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
  await page.goto('/get-reports');
  await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible();
  expect(await hasOutbox()).toBe(false);
  await page.goto('/reporting');
  await expect(page.getByRole('heading', { name: 'Reporting', level: 1 })).toBeVisible();
  expect(await hasOutbox()).toBe(true);
});
