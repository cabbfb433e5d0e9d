// Input survives a reload right after typing, and an upgrade from the first version.
import { api } from '#shared/api.ts';
import { field, filled, fillIn } from './report-form.ts';
import { expect, test } from './server.ts';

for (const ms of [0, 100])
  test(`checklist editor input survives a reload ${ms} ms after the last key`, { tag: '@once' }, async ({
    page,
    signInAs,
  }) => {
    await signInAs(page, 'Admin');
    await page.goto('/admin?tab=checklists');
    await page.getByRole('button', { name: 'New Checklist' }).click();
    const title = page.getByLabel('Checklist title');
    for (const word of ['Pool', 'Pool edge', 'Pool edge and', 'Pool edge and steps']) {
      await title.fill(word.slice(0, -1));
      const reloaded = page.waitForEvent('load');
      await title.evaluate(
        (_, [last, ms]) => {
          document.execCommand('insertText', false, last);
          if (ms === 0) location.reload();
          else setTimeout(() => location.reload(), ms);
        },
        [word.slice(-1), ms] as const,
      );
      await reloaded;
      await expect(title).toHaveValue(word);
    }
  });

for (const ms of [0, 100, 250])
  test(`report input survives a reload ${ms} ms after the last key`, { tag: '@once' }, async ({ page, signInAs }) => {
    await signInAs(page, 'None');
    const location = page.getByLabel('Location or plot');
    for (const word of ['Pool', 'Pool edge', 'Pool edge and', 'Pool edge and steps']) {
      await location.fill(word.slice(0, -1));
      const reloaded = page.waitForEvent('load');
      await location.evaluate(
        (_, [last, ms]) => {
          document.execCommand('insertText', false, last);
          if (ms === 0) window.location.reload();
          else setTimeout(() => window.location.reload(), ms);
        },
        [word.slice(-1), ms] as const,
      );
      await reloaded;
      await expect(location).toHaveValue(word);
    }
  });

test.describe('after an upgrade', () => {
  test.use({ allowedConsoleErrors: /Failed to load resource|status of 401/ });

  test('a draft of version 1.0.0 is opened, and a report that it had sent is not sent twice', {
    tag: '@once',
  }, async ({ page, server, signInAs }) => {
    const reviewer = await server.as('Admin');
    const person = await signInAs(page, 'None');
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
    await expect(page.getByRole('button', { name: /^Sign again/ })).toHaveCount(1);
    expect(await reviewer(api.listReports, { query: { q: 'Of Version One', limit: 9 } })).toEqual([]);
  });
});
