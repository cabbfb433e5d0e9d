// Which files a device caches.
import { readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { test, waitForCachedScreens } from './installed-app.ts';

test.use({ serviceWorkers: 'allow' });

const readText = async (url: string) => (await fetch(url)).text();

/** The maximum gzipped size of all files that are cached on a device of staff. */
const maxStaffBytes = 400_000;

test('a device of staff caches only the screens that staff can open', { tag: '@once' }, async ({ page, signInAs }) => {
  await signInAs(page, 'None');
  await page.goto('/reporting');
  await waitForCachedScreens(page);
  const urls = await page.evaluate(async () => {
    const caching = (await caches.keys()).map(async (name) => (await caches.open(name)).keys());
    return (await Promise.all(caching)).flat().map(({ url }) => url);
  });
  expect(urls.filter((url) => url.includes('ReportingPage')).length).toBeGreaterThan(0);
  expect(readdirSync('dist/assets').filter((file) => /^reviewers-.*js$/.test(file))).toHaveLength(1);
  expect(
    urls.filter((url) => /\/(?:Charts|RiddorTab|OverviewPage|AdminPage|RecordsPage|reviewers)-/.test(url)),
  ).toEqual([]);
  const files = await Promise.all(urls.map(readText));
  expect(files.reduce((total, text) => total + gzipSync(text).length, 0)).toBeLessThan(maxStaffBytes);
});
