// Someone else checks that a completed audit was put right.
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../src/server/testing/factories.ts';
import { expectDraftPhotos } from './drafts.ts';
import { photo } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

test('a user asks for a verification of a new audit, and the folder shows that it waits for one once it is completed', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const manager = await signInAs(page, 'Health & Safety Manager', 'Lido Beach');
  const worker = await server.as('None', 'Lido Beach');
  const verifier = await server.as('None', 'Lido Beach');
  const folder = await newFolder(manager);
  await page.goto(`/create-audit/${folder}`);
  await page.getByLabel('Title').fill('Loose handrail');
  await page.getByLabel('Someone else verifies it').check();
  const days = page.getByLabel('Days until it is verified');
  await expect(days).toHaveValue('30');
  await days.fill('none');
  const person = page.getByLabel('Person who should verify it');
  await person.fill('Nobody Here');
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(days).toHaveAccessibleDescription(/Enter a number of days from 1 to 365/);
  await expectAccessiblePage(page);
  await days.fill('14');
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(person).toHaveAccessibleDescription(/^Choose a user who sees Lido Beach/);
  await expect(person).toHaveAttribute('aria-invalid', 'true');
  await expectAccessiblePage(page);
  await person.fill(verifier.username);
  await page.getByRole('button', { name: 'Create Audit' }).click();
  await expect(page).toHaveURL(`/audit-folders/${folder}`);
  const [audit] = await manager(api.listAudits, { params: { folderId: folder } });
  expect(audit?.verification).toMatchObject({ days: 14, verifier: verifier.username });
  await worker(api.updateAudit, { params: { id: audit?.id ?? '' }, body: { data: { completed: true } } });
  await page.reload();
  await expect(page.getByText('To Verify', { exact: true })).toBeVisible();
  await expect(page.getByText(/To verify by \d\d\/\d\d\/\d{4}, by /)).toBeVisible();
});

test('a verifier who finds that the work did not help opens a follow-up audit, and the person who did it cannot verify it', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const manager = await server.as('Health & Safety Manager', 'Lido Beach');
  const folder = await newFolder(manager);
  const worker = await signInAs(page, 'None', 'Lido Beach');
  const body = newAudit(folder, { title: 'Loose step', verification: {} });
  const { id } = await manager(api.createAudit, { body });
  await worker(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
  await page.goto(`/audit/${id}`);
  await expect(page.getByText('Someone else verifies it, because you completed it')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save Verification' })).toHaveCount(0);

  const verifier = await signInAs(page, 'None', 'Lido Beach');
  await page.goto('/audits?tab=open');
  const counts = page.getByText(/1 to verify|, \d+ to verify/);
  await expect(counts).toBeVisible();
  // It is completed, so it is not among the open ones.
  await expect(page.getByRole('link', { name: 'Loose step' })).toHaveCount(0);
  await counts.click();
  await page.getByRole('link', { name: /^To Verify \d+$/ }).click();
  await page.getByRole('searchbox', { name: 'Search audits...' }).fill('Loose step');
  await page.getByRole('link', { name: 'Loose step' }).click();
  await page.getByRole('button', { name: 'Save Verification' }).click();
  await expect(page.getByText('Choose Works or Does Not Work')).toBeVisible();
  await expect(page.getByText('Write a note or add a photo')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByLabel('Does Not Work').check();
  await page.getByRole('textbox', { name: 'What you saw' }).fill('It moves again');
  await page.getByLabel('Choose Photos').setInputFiles(photo('phone-jolla.jpg'));
  await expectDraftPhotos(page, 1);
  // What was entered is kept on the device.
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'What you saw' })).toHaveValue('It moves again');
  await expect(page.getByLabel('Does Not Work')).toBeChecked();
  await page.getByRole('button', { name: 'Save Verification' }).click();
  await page.getByRole('link', { name: 'Open the Follow-up Audit' }).click();
  await expect(page.getByText('Pending', { exact: true })).toBeVisible();
  await expect(page.getByText(/^Found not to work on .+ It moves again/)).toBeVisible();
  const [note] = await verifier(api.listAuditNotes, { params: { id } });
  expect(note).toMatchObject({ outcome: 'doesNotWork', text: 'It moves again', media_files: [{}] });
});

test('a search that is still being typed does not lead back from the audit that was opened', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const manager = await server.as('Health & Safety Manager', 'St Marys');
  const folder = await newFolder(manager, { park: 'St Marys' });
  const { id } = await manager(api.createAudit, { body: newAudit(folder, { title: 'Cracked paving' }) });
  await signInAs(page, 'None', 'St Marys');
  const file = Promise.withResolvers<void>();
  await page.route('**/assets/AuditDetailPage-*.js', async (route) => {
    await file.promise;
    await route.continue();
  });
  await page.clock.install();
  // The list may show only the first audits of the other parks.
  await page.goto('/audits?tab=open&park=St+Marys');
  const link = page.getByRole('link', { name: 'Cracked paving' });
  await expect(link).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search audits...' }).fill('Cracked');
  await link.click();
  await expect(page).toHaveURL(`/audit/${id}`);
  await page.clock.runFor(1000);
  file.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Cracked paving' })).toBeVisible();
  await expect(page).toHaveURL(`/audit/${id}`);
});
