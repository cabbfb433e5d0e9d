import type { Locator, Page } from '@playwright/test';
import { expect, test } from './server.ts';

const second = 1000;
const minute = 60 * second;
const idleMs = 3 * minute;

/**
 * Replaces the clock of the page, and of the server as far as the page can see: its time, and the
 * end of a session that is idle for three minutes. Returns functions that move the clock, read the
 * idle time, wait for an element and stop the replacement.
 */
async function useIdleClock(page: Page) {
  const installedAt = Date.now();
  // The clock runs until it is paused, and cannot be paused at an earlier time.
  let now = installedAt + minute;
  let lastSeen = now;
  await page.clock.install({ time: installedAt });
  await page.clock.pauseAt(now);
  await page.route('**/api/**', async (route) => {
    const response = await route.fetch();
    if (!route.request().headers()['x-background']) lastSeen = now;
    const headers = { ...response.headers(), date: new Date(now).toUTCString() };
    if (new URL(route.request().url()).pathname !== '/api/protected') return route.fulfill({ response, headers });
    const expiresAt = new Date(lastSeen + idleMs).toISOString();
    await route.fulfill({ response, headers, json: { ...(await response.json()), expiresAt } });
  });
  return {
    /** Passes time while the page's requests are answered. */
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 8 * second) {
        now += 8 * second;
        await page.clock.runFor(8 * second);
      }
    },
    getIdleMs: () => now - lastSeen,
    /** Lets timers run, which a screen needs after its requests. */
    async expectVisible(locator: Locator, isVisible = true) {
      const check = async () => {
        await page.clock.runFor(100);
        return locator.isVisible();
      };
      await expect.poll(check, { timeout: 60_000 }).toBe(isVisible);
    },
    /** Lets a request that is still being answered end with the page. */
    stop: () => page.unrouteAll({ behavior: 'ignoreErrors' }),
  };
}

test('only taps, keys and other input of the user delay the warning before an idle sign-out @once', async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'Admin');
  const clock = await useIdleClock(page);
  const warning = page.getByRole('dialog', { name: 'Are you still there?' });
  await page.goto('/admin');
  await clock.pass(8 * second);
  const heading = page.getByRole('heading', { level: 1 });
  await clock.expectVisible(heading);

  await test.step('polling does not', async () => {
    const polls = page.waitForRequest('**/api/notifications/count');
    await clock.pass(40 * second);
    expect((await polls).headers()['x-background']).toBe('1');
    await clock.expectVisible(warning, false);
    await clock.pass(40 * second);
    expect(clock.getIdleMs()).toBeGreaterThan(minute);
    await clock.expectVisible(warning);
  });

  await test.step('the button does', async () => {
    await warning.getByRole('button', { name: 'Stay Signed In' }).click();
    await clock.pass(8 * second);
    await clock.expectVisible(warning, false);
    expect(clock.getIdleMs()).toBeLessThan(20 * second);
  });

  await test.step('touches and keys do', async () => {
    for (const input of ['touch', 'key']) {
      await clock.pass(40 * second);
      await (input === 'key' ? page.keyboard.press('Shift') : heading.click());
    }
    await clock.pass(40 * second);
    await clock.expectVisible(warning, false);
  });
  await clock.stop();
});
