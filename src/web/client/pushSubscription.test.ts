// Which user gets push messages on a device that several users share.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubLocalStorage } from './localStorage.test-helper.ts';
import { rememberSubscriber, unsubscribe } from './pushSubscription.ts';

const subscription = { unsubscribe: vi.fn() };
const message = { close: vi.fn() };

beforeEach(() => {
  vi.resetAllMocks();
  stubLocalStorage();
  const registration = {
    pushManager: { getSubscription: async () => subscription },
    getNotifications: async () => [message],
  };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } });
});
afterEach(() => vi.unstubAllGlobals());

test('a browser stays subscribed to push messages when the same user signs in again', async () => {
  rememberSubscriber('sian');
  await unsubscribe('sian');
  expect(subscription.unsubscribe).not.toHaveBeenCalled();
  expect(message.close).not.toHaveBeenCalled();
});

test.each([
  ['a sign-out', undefined],
  ['the sign-in of another user', 'huw'],
])('%s unsubscribes the browser from push messages once and closes those that are shown', async (_, signedInUserId) => {
  rememberSubscriber('sian');
  await unsubscribe(signedInUserId);
  await unsubscribe(signedInUserId);
  expect(subscription.unsubscribe).toHaveBeenCalledOnce();
  expect(message.close).toHaveBeenCalledOnce();
});

test('a browser that could not be unsubscribed from push messages is unsubscribed at the next attempt', async () => {
  rememberSubscriber('sian');
  subscription.unsubscribe.mockRejectedValueOnce(new Error('offline'));
  await expect(unsubscribe('huw')).rejects.toThrow('offline');
  await unsubscribe('huw');
  expect(subscription.unsubscribe).toHaveBeenCalledTimes(2);
});

test('unsubscribing does nothing in a browser without a service worker', async () => {
  vi.stubGlobal('navigator', {});
  rememberSubscriber('sian');
  await unsubscribe();
});
