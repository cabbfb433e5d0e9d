import { api } from '#shared/api.ts';
import { newAudit, newFolder, newLesson, newReport } from '../src/server/testing/factories.ts';
import { listScreens } from './all-screens.ts';
import { section } from './checklists.ts';
import { listFilledButtons } from './page-checks.ts';
import { expect, test } from './server.ts';

const longName = 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch';

const softly = expect.configure({ soft: true });

/** How many pixels the page, or a dialog of it, is wider than its box. Runs in the page. */
const measureExcess = () =>
  Math.max(
    ...[document.documentElement, ...document.querySelectorAll('[role="dialog"]')].map(
      ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
    ),
  );

/** The texts of buttons, and the names in lists of reports, that are cut off. Runs in the page. */
const listCutOff = () =>
  [...document.querySelectorAll('main .mantine-Button-label, main button[aria-haspopup="dialog"] > span:first-child')]
    .filter((text) => text.scrollWidth > text.clientWidth + 1 || text.scrollHeight > text.clientHeight + 2)
    .filter((text) => text.checkVisibility())
    .map(({ textContent }) => textContent);

// The text size of Chromium's settings, at 200 %.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), '--blink-settings=defaultFontSize=32'] }),
});

test('no screen scrolls sideways with text at 200 % and long names', { tag: '@mouse' }, async ({
  page,
  signInAs,
  server,
}) => {
  test.slow();
  const staff = await server.as('None', 'Lido Beach');
  const body = await newReport(staff, { name: `${longName} ap Gruffudd`, location: longName, date: '2025-11-14' });
  const { id: report } = await staff(api.submitAccident, { body });
  const admin = await signInAs(page, 'Admin');
  const folder = await newFolder(admin, { name: longName, park: 'Lido Beach' });
  const { id: audit } = await admin(api.createAudit, {
    body: newAudit(folder, { title: longName, assignee: longName, date: '2026-01-01' }),
  });
  const { id: checklist_id } = await admin(api.createChecklist, {
    body: { title: `${longName} pool`, sections: [{ ...section('Clean', 'na'), onFail: { when: 'No' } }] },
  });
  const schedule = { parks: ['Lido Beach' as const], repeat: 'daily' as const, gate: longName };
  const window = { opens_at: '00:00', closes_at: '00:00' };
  await admin(api.createSchedule, { body: { checklist_id, ...schedule, ...window, starts_on: '2026-01-01' } });
  await admin(api.createLesson, { body: newLesson() });
  for (const path of listScreens({ report, folder, audit })) {
    await page.goto(path);
    // Lists come after their headings, and charts when they are scrolled to.
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('End');
    await page.waitForLoadState('networkidle');
    await expect(page.getByRole('main').getByRole('heading').first(), path).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    const filled = await page.evaluate(listFilledButtons);
    softly(filled.length, `${path}: ${filled.join(', ')}`).toBeLessThanOrEqual(path.startsWith('/get-reports') ? 0 : 1);
    for (const width of [320, 390, 1360]) {
      await page.setViewportSize({ width, height: 800 });
      // After a change of width some components are drawn again.
      await softly
        .poll(() => page.evaluate(measureExcess), { message: `${path} at ${width} px` })
        .toBeLessThanOrEqual(0);
      if (width < 1000)
        await softly
          .poll(() => page.evaluate(listCutOff), { message: `cut off on ${path} at ${width} px` })
          .toEqual([]);
    }
  }
});
