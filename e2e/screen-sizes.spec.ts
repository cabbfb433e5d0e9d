import { api } from '#shared/api.ts';
import { newAudit, newFolder, newReport } from '../src/server/testing/factories.ts';
import { createRecordScreens, listScreens, listUnopened } from './all-screens.ts';
import { section } from './checklists.ts';
import { showScreen } from './interactions.ts';
import { field, fillInReport } from './report-form.ts';
import { expect, expectAccessiblePage, openReporting, test } from './server.ts';

test('every page is accessible and fits on a large display', { tag: '@mouse' }, async ({ page, signInAs, server }) => {
  test.slow();
  const staff = await server.as('None', 'Lido Beach');
  const { id: report } = await staff(api.submitAccident, { body: await newReport(staff) });
  const folder = await newFolder(staff);
  const { id: audit } = await staff(api.createAudit, { body: newAudit(folder) });
  const admin = await signInAs(page, 'Admin');
  const checklist = await admin(api.createChecklist, {
    body: { title: 'Pool edge', sections: [{ ...section('Clean', 'na'), onFail: { when: 'No' } }] },
  });
  await admin(api.submitChecklist, { body: { checklistId: checklist.id, data: { 0: 'Yes' } } });
  const opens_at = '00:00';
  const schedule = { parks: ['Lido Beach' as const], repeat: 'daily' as const, gate: 'Pool' };
  await admin(api.createSchedule, {
    body: { checklist_id: checklist.id, ...schedule, opens_at, closes_at: opens_at, starts_on: '2026-01-01' },
  });
  // Each screen replaces the one before in the same page. large-text.spec.ts loads each by its address.
  await page.goto('/reporting');
  const paths = [...listScreens({ report, folder, audit }), ...(await createRecordScreens(server, admin, { report }))];
  expect(listUnopened(paths)).toEqual([]);
  for (const path of paths) {
    await showScreen(page, path);
    await expect(page.getByRole('main').getByRole('heading').first(), path).toBeVisible();
    await expectAccessiblePage(page);
  }
});

test('a report form on a phone has suitable keyboards and large touch targets, and fits the display', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await signInAs(page, 'None');
  await openReporting(page);
  await expect(field(page, 'Age')).toHaveAttribute('inputmode', 'numeric');
  await expect(field(page, 'Age')).toHaveAttribute('type', 'number');
  await expect(field(page, 'Contact number')).toHaveAttribute('type', 'tel');
  await expect(field(page, 'Date')).toHaveAttribute('type', 'date');
  await fillInReport(page, { Details: `https://park.example/${'maintenance'.repeat(8)}` });
  for (const target of await page
    .locator('main :is(button, select, input:not([type=file]), textarea, label:has(input[type=file]))')
    .all()) {
    if (!(await target.isVisible())) continue;
    const box = await target.boundingBox();
    expect(box?.height, await target.evaluate((element) => element.outerHTML)).toBeGreaterThanOrEqual(43.9);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
  }
  await expectAccessiblePage(page);
});
