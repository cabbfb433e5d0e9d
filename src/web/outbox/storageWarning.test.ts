// Safari deletes what a site has stored after seven days without a visit.
import { afterEach, expect, test, vi } from 'vitest';
import { getStorageWarning } from './storageWarning.ts';

afterEach(() => vi.unstubAllGlobals());

const evictionWarning =
  'Open this page within 7 days, or add it to the home screen. Otherwise this browser may delete what is waiting.';

function startBrowser({ vendor = 'Apple Computer, Inc.', isPersisted = false, isInstalled = false, isSecure = true }) {
  vi.stubGlobal('navigator', { vendor, storage: { persisted: async () => isPersisted } });
  vi.stubGlobal('window', { isSecureContext: isSecure, matchMedia: () => ({ matches: isInstalled }) });
}

test.each([
  ['Safari', {}, evictionWarning],
  ['Safari with persistent storage', { isPersisted: true }, ''],
  ['an installed app', { isInstalled: true }, ''],
  ['Chromium', { vendor: 'Google Inc.' }, ''],
  ['Firefox', { vendor: '' }, ''],
  ['a page without HTTPS', { isSecure: false }, expect.stringContaining('does not use HTTPS')],
])('%s gets a storage warning if and only if it may lose waiting items', async (_, browser, warning) => {
  startBrowser(browser);
  expect(await getStorageWarning()).toEqual(warning);
});

test('an old Safari without persistent storage gets a warning', async () => {
  startBrowser({});
  vi.stubGlobal('navigator', { vendor: 'Apple Computer, Inc.' });
  expect(await getStorageWarning()).toBe(evictionWarning);
});
