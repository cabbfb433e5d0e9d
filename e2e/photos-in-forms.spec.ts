// Forms whose photos are still being prepared.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newAudit, newFolder, newReport } from '../src/server/testing/factories.ts';
import { copied, pasteImage, photo } from './interactions.ts';
import { addPhotos, affectedSignature, field, fillIn, ownSignature, signByTyping, submit } from './report-form.ts';
import { expect, openReporting, test } from './server.ts';

/** Photos are prepared once the returned function is called: the worker loads no earlier. */
async function holdPhotos(page: Page) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/resizeImage.worker*', async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test('photos added one right after the other are both kept, and Submit waits for them', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  await signInAs(page, 'None');
  const release = await holdPhotos(page);
  await openReporting(page);
  await fillIn(page, { person: 'Twice Photographed' });
  await signByTyping(page, ownSignature);
  await signByTyping(page, affectedSignature);
  const input = page.getByLabel('Choose Photos');
  await input.setInputFiles(photo('gps-DSCN0010.jpg'));
  await input.setInputFiles(photo('gps-DSCN0012.jpg'));
  // The tabs are not locked, and the photos find the form that was left.
  await page.getByRole('tab', { name: 'Incident Reporting' }).click();
  await expect(page.getByText('Processing images...')).toBeHidden();
  await page.getByRole('tab', { name: 'Accident Reporting' }).click();
  await submit(page).click();
  await expect(page.getByText('The report is submitted when they are ready.')).toBeVisible();
  await expect(submit(page)).toHaveText('Submitting...');
  release();
  await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
  const reviewer = await server.as('Admin');
  const [report] = await reviewer(api.listReports, { query: { q: 'Twice Photographed' } });
  expect(report?.mediaFiles).toHaveLength(2);
});

test('a photo removed while another is prepared stays removed, and files left out are named and stop nothing', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  await signInAs(page, 'None');
  await openReporting(page);
  await fillIn(page, { person: 'Partly Photographed' });
  await addPhotos(page, photo('gps-DSCN0010.jpg'));
  await signByTyping(page, ownSignature);
  await signByTyping(page, affectedSignature);
  await page.reload();
  const release = await holdPhotos(page);
  await expect(page.getByText('1 photo added.')).toBeVisible();
  const broken = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a photo') };
  const notes = { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
  await page.getByLabel('Choose Photos').setInputFiles([photo('gps-DSCN0012.jpg')]);
  await page.getByRole('button', { name: /^Remove photo 1 of 1/ }).click();
  const copies = ['cut-off-at-70-percent.jpg', 'photo-without-extension'].map((name) => ({
    name,
    mimeType: '',
    buffer: readFileSync(copied(name)),
  }));
  await page.getByLabel('Choose Photos').setInputFiles([notes, ...copies]);
  await page.getByLabel('Choose Photos').setInputFiles([broken]);
  await submit(page).click();
  release();
  await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
  await expect(page.getByRole('status').getByText('Left out: notes.pdf, broken.jpg')).toBeVisible();

  const reviewer = await server.as('Admin');
  const [report] = await reviewer(api.listReports, { query: { q: 'Partly Photographed' } });
  expect(report?.mediaFiles.map(({ name, cutOff }) => `${name} ${cutOff}`).sort()).toEqual([
    'cut-off-at-70-percent.jpg true',
    'gps-DSCN0012.jpg undefined',
    'photo-without-extension.jpg undefined',
  ]);
  const input = Buffer.from(await (await reviewer.fetch(`/api/report-pdf/${report?.id}`)).arrayBuffer());
  const text = execFileSync('pdftotext', ['-raw', '-', '-'], { input, encoding: 'utf8' });
  expect(text).toMatch(/Photo \d of 3\. Cut off while copying/);
  await page.context().clearCookies();
  await signInAs(page, 'Admin');
  await page.goto(`/get-reports?report=${report?.id}`);
  await expect(page.getByRole('dialog').getByText('Cut off while copying')).toHaveCount(1);
});

test('a pasted image is a photo in each form, and a copied cell stays text', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const admin = await server.as('Admin');
  const onFail = { when: 'No' as const };
  const sections = ['Gate whole', 'Net whole'].map((title) => ({ title, type: 'na' as const, required: true, onFail }));
  await admin(api.createChecklist, { body: { title: 'Gates', sections } });
  await signInAs(page, 'None', 'Lido Beach');
  await openReporting(page);
  await pasteImage(field(page, 'Details'), 'A1');
  await pasteImage(field(page, 'Details'));
  await expect(page.getByText('1 photo added.')).toBeVisible();

  await page.goto('/checklists');
  await page.getByRole('button', { name: /^Gates/ }).click();
  const no = page.getByText('No', { exact: true });
  // The questions appear with the panel.
  await expect(no).toHaveCount(2);
  for (const answer of await no.all()) await answer.click();
  await pasteImage(page.getByLabel('What is wrong?').nth(1));
  const failing = page.getByRole('group', { name: /^Failing: / });
  await expect(failing.nth(1).getByRole('img', { name: '1, image.png' })).toBeVisible();
  await expect(failing.nth(0).getByRole('img')).toHaveCount(0);
  // Without a focus it belongs to the field in the middle of the screen.
  await failing.nth(0).evaluate((element) => element.scrollIntoView({ block: 'center' }));
  await pasteImage(page.locator('body'));
  await expect(failing.nth(0).getByRole('img', { name: '1, image.png' })).toBeVisible();

  await page.goto('/audits');
  await page.getByRole('button', { name: 'New Folder' }).click();
  await pasteImage(page.getByRole('dialog').getByLabel('Name'));
  await expect(page.getByRole('dialog').getByAltText("The folder's thumbnail")).toBeVisible();
});

test('Undo Clearing restores notes and photos of failing answers, and Submit waits for a photo', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const admin = await server.as('Admin');
  const onFail = { when: 'No' as const, photo: 'required' as const };
  await admin(api.createChecklist, {
    body: {
      title: 'Fences',
      sections: [{ title: 'Fence whole', type: 'na', required: true, onFail }],
    },
  });
  await signInAs(page, 'None', 'Lido Beach');
  await page.goto('/checklists');
  await page.getByRole('button', { name: /^Fences/ }).click();
  await page.getByText('No', { exact: true }).click();
  await page.getByLabel('What is wrong?').fill('A panel is missing');
  const add = page.getByLabel('Add Photo: Fence whole');
  await add.setInputFiles(photo('gps-DSCN0010.jpg'));
  await expect(page.getByRole('img', { name: '1, gps-DSCN0010.jpg' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear Progress' }).click();
  await expect(page.getByLabel('What is wrong?')).toBeHidden();
  const cleared = page.getByRole('status').getByText('Progress cleared!');
  // It stays while the mouse is over it.
  await cleared.hover();
  await page.getByRole('button', { name: 'Undo Clearing' }).press('Enter');
  await expect(cleared).toBeHidden();
  await expect(page.getByLabel('What is wrong?')).toHaveValue('A panel is missing');
  await expect(page.getByRole('img', { name: '1, gps-DSCN0010.jpg' })).toBeVisible();

  await page.reload();
  const release = await holdPhotos(page);
  await page.getByRole('button', { name: /^Fences/ }).click();
  await expect(page.getByRole('img', { name: '1, gps-DSCN0010.jpg' })).toBeVisible();
  await add.setInputFiles(photo('gps-DSCN0012.jpg'));
  // A photo of an answer that no longer fails is not waited for.
  await page.getByText('Yes', { exact: true }).click();
  await expect(page.getByRole('button', { name: 'Clear Progress' })).toBeEnabled();
  await page.getByText('No', { exact: true }).click();
  await expect(page.getByRole('button', { name: 'Clear Progress' })).toBeDisabled();
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(page.getByText('The checklist is submitted when they are ready.')).toBeVisible();
  release();
  await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();
  const [submission] = await admin(api.listSubmissions);
  const { failures } = await admin(api.getSubmission, { params: { id: submission?.id ?? '' } });
  expect(JSON.stringify(failures)).toContain('gps-DSCN0012');
});

test('an audit is completed with a photo that was still being prepared; Create Audit waits disabled', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const user = await signInAs(page, 'None', 'Lido Beach');
  const folder = await newFolder(user);
  await user(api.createAudit, { body: newAudit(folder, { title: 'Swings' }) });
  const [audit] = await user(api.listAudits, { params: { folderId: folder } });
  const id = audit?.id ?? '';
  let release = await holdPhotos(page);
  await page.goto(`/audit/${id}`);
  await page.getByLabel('Choose Photos').setInputFiles(photo('gps-DSCN0010.jpg'));
  await page.getByRole('button', { name: 'Complete Audit' }).click();
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('The audit is completed when they are ready.')).toBeVisible();
  release();
  await expect(page.getByText('This audit has been marked as completed')).toBeVisible();
  const { data } = await user(api.getAudit, { params: { id } });
  expect(data).toMatchObject({ completed: true, media_files: [{ name: 'gps-DSCN0010.jpg' }] });

  await page.goto(`/create-audit/${folder}`);
  await page.unrouteAll();
  release = await holdPhotos(page);
  await page.getByLabel('Title').fill('Slide');
  await page.getByLabel('Choose Photos').setInputFiles(photo('gps-DSCN0012.jpg'));
  // What is typed while a photo is prepared stays.
  await page.getByLabel('Location').fill('Playground');
  await expect(page.getByRole('button', { name: 'Create Audit' })).toBeDisabled();
  release();
  await expect(page.getByText('1 photo added.')).toBeVisible();
  await expect(page.getByLabel('Location')).toHaveValue('Playground');
});

test('a part of an investigation is saved once its photos are ready', { tag: '@once' }, async ({ page, signInAs }) => {
  const manager = await signInAs(page, 'Health & Safety Manager');
  const report = await manager(api.submitAccident, { body: await newReport(manager) });
  const params = await manager(api.createInvestigation, { body: { thing: 'report', id: report.id } });
  const release = await holdPhotos(page);
  await page.goto(`/investigations/${params.id}`);
  const part = page.getByRole('region', { name: 'What Happened', exact: true });
  await part.getByLabel('What happened', { exact: true }).fill('A hand was crushed');
  await part.getByLabel('Choose Photos').setInputFiles(photo('gps-DSCN0010.jpg'));
  const save = part.getByRole('button', { name: 'Save', exact: true });
  await expect(save).toBeDisabled();
  // A photo that is being prepared is added to the statement at its place.
  await page.getByRole('button', { name: 'Add a Statement' }).click();
  const statement = page.getByRole('group', { name: 'Statement 1' });
  await statement.getByLabel('Choose Photos').setInputFiles(photo('gps-DSCN0012.jpg'));
  await expect(statement.getByRole('button', { name: 'Remove statement 1' })).toBeDisabled();
  release();
  await save.click();
  await expect(part.getByText('Saved', { exact: true })).toBeVisible();
  const { sections } = await manager(api.getInvestigation, { params });
  expect(sections.facts.content.photos).toHaveLength(1);
});
