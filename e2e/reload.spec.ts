// Input survives a reload right after typing, and the sending of the submission before it.
import type { Locator, Page } from '@playwright/test';
import { openScreen } from './interactions.ts';
import { outboxLink, savedText } from './outbox.ts';
import { field, fillInReport } from './report-form.ts';
import { expect, openReporting, test } from './server.ts';

test.use({ allowedConsoleErrors: /Failed to load resource|ERR_INTERNET_DISCONNECTED/ });

/**
 * Types the texts, the last key of each some milliseconds before a reload, and expects them
 * afterwards.
 */
async function expectSurvivesReload(page: Page, input: Locator, texts: [text: string, ms: number][]) {
  for (const [text, ms] of texts) {
    await input.fill(text.slice(0, -1));
    const pageReloaded = page.waitForEvent('load');
    await input.evaluate(
      (_, [last, ms]) => {
        document.execCommand('insertText', false, last);
        if (ms === 0) location.reload();
        else setTimeout(() => location.reload(), ms);
      },
      [text.slice(-1), ms] as const,
    );
    await pageReloaded;
    await expect(input, `${ms} ms after the last key`).toHaveValue(text);
  }
}

test('text typed in the checklist editor survives a reload right after the last key press', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'Admin');
  await page.goto('/admin?tab=checklists');
  await page.getByRole('button', { name: 'New Checklist' }).click();
  await expectSurvivesReload(page, page.getByLabel('Checklist title'), [
    ['Pool', 0],
    ['Pool edge', 100],
    ['Pool edge and steps', 0],
  ]);
});

test('text typed in a report survives a reload right after the last key press', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'None');
  await openReporting(page);
  await expectSurvivesReload(page, page.getByLabel('Location or plot'), [
    ['Pool', 0],
    ['Pool edge', 100],
    ['Pool edge and', 250],
    ['Pool edge and steps', 0],
  ]);
});

const forms = {
  hazard: {
    async open(page: Page) {
      await openScreen(page, 'Reporting');
      await page.getByRole('main').getByRole('link', { name: 'Report a Hazard' }).click();
    },
    async fillIn(page: Page) {
      await page.getByLabel('Where is it?').fill('Boiler');
      await page.getByLabel('What is wrong?').fill('Smoke');
    },
    getField: (page: Page) => page.getByLabel('What is wrong?'),
    submit: 'Send',
    request: '**/api/audits',
    sent: 'Hazard reported.',
  },
  report: {
    open: (page: Page) => openScreen(page, 'Reporting'),
    fillIn: fillInReport,
    getField: (page: Page) => field(page, 'Details'),
    submit: /^Submit/,
    request: '**/api/submit-accident',
    sent: 'Accident report submitted successfully!',
  },
};

for (const [what, form] of Object.entries(forms)) {
  test(`a ${what} that is typed while the one before waits is still there when that one is sent`, {
    tag: '@once',
  }, async ({ page, context, signInAs }) => {
    await signInAs(page, 'None', 'Lido Beach');
    await openReporting(page);
    await form.open(page);
    await form.fillIn(page);
    await context.setOffline(true);
    await page.getByRole('button', { name: form.submit }).click();
    await expect(page.getByText(savedText)).toBeVisible();
    await outboxLink(page).click();
    await form.open(page);
    await form.getField(page).fill('The second');
    const held = Promise.withResolvers<void>();
    await page.route(form.request, async (route) => {
      await held.promise;
      await route.continue();
    });
    const sending = page.waitForRequest(form.request);
    await context.setOffline(false);
    await sending;
    await outboxLink(page).click();
    await form.open(page);
    await expect(form.getField(page)).toHaveValue('The second');
    held.resolve();
    await expect(page.getByText(form.sent)).toBeVisible();
    await expect(form.getField(page)).toHaveValue('The second');
  });

  test(`a ${what} whose page is reloaded while it is sent is not called unsent once it has arrived`, {
    tag: '@once',
  }, async ({ page, signInAs }) => {
    await signInAs(page, 'None', 'Lido Beach');
    await openReporting(page);
    await form.open(page);
    await form.fillIn(page);
    const held = Promise.withResolvers<void>();
    await page.route(form.request, async (route) => {
      await held.promise;
      await route.continue();
    });
    const sending = page.waitForRequest(form.request);
    await page.getByRole('button', { name: form.submit }).click();
    await sending;
    await page.reload();
    await expect(form.getField(page)).toBeDisabled();
    held.resolve();
    await expect(page.getByText(form.sent)).toBeVisible();
    await expect(page.getByText('has not been submitted yet')).toBeHidden();
  });
}
