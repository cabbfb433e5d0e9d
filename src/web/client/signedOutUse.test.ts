// When a form can be started without a session.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubLocalStorage } from './localStorage.test-helper.ts';
import { markSignOutPending } from './offlineSession.ts';
import { canUseSignedOut, deleteLastContact, saveLastContact } from './signedOutUse.ts';

const dayMs = 24 * 60 * 60_000;

beforeEach(() => {
  stubLocalStorage();
  vi.useFakeTimers({ toFake: ['Date'] });
  saveLastContact();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a form can be started without a session for 14 days after the server was last reached', () => {
  expect(canUseSignedOut('/reporting')).toBe(true);
  vi.setSystemTime(Date.now() + 14 * dayMs - 1000);
  expect(canUseSignedOut('/reporting')).toBe(true);
  vi.setSystemTime(Date.now() + 2000);
  expect(canUseSignedOut('/reporting')).toBe(false);
});

test("setting the device's clock back does not extend the 14 days in which forms can be started", () => {
  vi.setSystemTime(Date.now() - 15 * dayMs);
  expect(canUseSignedOut('/reporting')).toBe(false);
});

test('only the four report forms and the checklists can be started without a session', () => {
  for (const path of ['/reporting', '/accidentreporting', '/incidentreporting', '/checklists'])
    expect(canUseSignedOut(path)).toBe(true);
  for (const path of ['/', '/audits', '/get-reports', '/admin', '/outbox']) expect(canUseSignedOut(path)).toBe(false);
});

test('no form can be started without a session if nobody has signed in before, or after a sign-out', () => {
  markSignOutPending();
  expect(canUseSignedOut('/reporting')).toBe(false);
  stubLocalStorage();
  expect(canUseSignedOut('/reporting')).toBe(false);
  saveLastContact();
  expect(canUseSignedOut('/reporting')).toBe(true);
  deleteLastContact();
  expect(canUseSignedOut('/reporting')).toBe(false);
});
