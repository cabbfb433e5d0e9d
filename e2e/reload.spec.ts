// Input survives a reload right after typing, and an upgrade from the first release.
import type { Locator, Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { field, filled, fillIn } from './report-form.ts';
import { expect, openReporting, test } from './server.ts';

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

test.describe('drafts after an upgrade', () => {
  test.use({ allowedConsoleErrors: /Failed to load resource|status of 401/ });

  test('a draft stored by version 1.0.0 is opened, and a report that version 1.0.0 has sent is not sent twice', {
    tag: '@once',
  }, async ({ page, server, signInAs }) => {
    const reviewer = await server.as('Admin');
    const person = await signInAs(page, 'None');
    await openReporting(page);
    const key = crypto.randomUUID();
    await fillIn(page, { person: 'Of Version One' });
    await page.goto('/checklists');
    await page.evaluate(
      async ({ id, key, values }) => {
        const db = await new Promise<IDBDatabase>((resolve) => {
          const request = indexedDB.open('drafts', 1);
          request.onsuccess = () => resolve(request.result);
        });
        const image = await (await fetch('/icons/icon-192.png').catch(() => fetch('/operator-logo'))).blob();
        const png = new File([image], 'signature-1.png', { type: 'image/png' });
        const store = db.transaction('drafts', 'readwrite').objectStore('drafts');
        store.clear();
        store.put({ key: `${id}/accident`, value: { key, values }, keptAt: Date.now() });
        const photos = [{ id: 'one', name: 'pool.jpg', file: new File([image], 'pool.jpg'), width: 1, height: 1 }];
        const media = { photos, signature: { png }, affectedUserSignature: null, uploads: {} };
        store.put({ key: `${id}/accident pictures`, value: media, keptAt: Date.now() });
        await new Promise((resolve) => store.transaction.addEventListener('complete', resolve));
        db.close();
      },
      {
        id: person.id,
        key,
        values: {
          selectedPlace: '',
          name: 'Of Version One',
          age: '34',
          contactNumber: '',
          reporter: 'Huw',
          date: filled.Date,
          time: '',
          type: '',
          location: '',
          employmentStatus: '',
          emergencyService: '',
          details: filled.Details,
        },
      },
    );
    await page.goto('/reporting');
    await expect(field(page, 'person')).toHaveValue('Of Version One');
    await expect(field(page, 'Details')).toHaveValue(filled.Details);
    await expect(page.getByText('1 photo added.')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Sign Again/ })).toHaveCount(1);
    expect(await reviewer(api.listReports, { query: { q: 'Of Version One', limit: 9 } })).toEqual([]);
  });
});
