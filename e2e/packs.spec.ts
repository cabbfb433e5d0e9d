import { execFileSync } from 'node:child_process';
import { api } from '#shared/api.ts';
import { newReport } from '../src/server/testing/factories.ts';
import { expectDiscardQuestion, openMore } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

test('a manager creates a pack of the filtered reports and downloads it', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  const manager = await signInAs(page, 'Health & Safety Manager');
  for (const type of ['Wasp sting', 'wasp sting', 'Bee sting'])
    await manager(api.submitAccident, { body: await newReport(manager, { type, selectedPlace: 'Mounds' }) });
  await page.goto('/packs');
  await expect(page.getByText('You have no packs.')).toBeVisible();
  await expectAccessiblePage(page);

  await page.goto('/get-reports?park=Mounds&type=Wasp+sting');
  await openMore(page);
  await page.getByRole('button', { name: 'Make Pack' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Make Pack' });
  await expect(dialog.getByRole('group', { name: '2 of 2 reports chosen' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Make Pack' }).click();
  await expect(dialog.getByLabel('Who is it for?')).toHaveAccessibleDescription(/Enter who the pack is for/);
  await expectAccessiblePage(page);
  await dialog.getByLabel('Who is it for?').fill('Bryn Insurance');
  await dialog.getByLabel('Why do they need it?').fill('Claim 4711');
  await expectDiscardQuestion(page, dialog, dialog.getByLabel('Why do they need it?'));
  await dialog.getByRole('checkbox', { name: 'Without names' }).check();
  await expect(dialog.getByText(/printed word for word. Name nobody/)).toBeVisible();
  await dialog.getByRole('checkbox', { name: /^ACC-/ }).last().uncheck();
  await expect(dialog.getByRole('group', { name: '1 of 2 reports chosen' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Make Pack' }).click();

  await expect(page).toHaveURL(/\/packs$/);
  const pack = page.getByRole('article', { name: 'Pack for Bryn Insurance' });
  await expect(pack).toContainText('For Bryn Insurance, without names');
  await expect(pack).toContainText('1 report.');
  await expect(pack).toContainText(/Ready, [\d.]+ [KM]B/);
  await expectAccessiblePage(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    pack.getByRole('link', { name: 'Download the pack for Bryn Insurance' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^Pack \d{4}-\d\d-\d\d .+\.zip$/);
  const files = execFileSync('python3', ['-m', 'zipfile', '-l', await download.path()], { encoding: 'utf8' });
  for (const name of ['index.pdf', 'manifest.json', 'report.pdf']) expect(files).toContain(name);

  await pack.getByRole('button', { name: 'Delete the pack for Bryn Insurance' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('You have no packs.')).toBeVisible();
});

test('a pack with investigations contains the investigation that covers one of its reports', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  const manager = await signInAs(page, 'Health & Safety Manager');
  const type = 'Trapped hand';
  const { id } = await manager(api.submitAccident, { body: await newReport(manager, { type }) });
  const { id: investigation } = await manager(api.createInvestigation, { body: { thing: 'report', id } });
  const { number } = await manager(api.getInvestigation, { params: { id: investigation } });
  await page.goto(`/get-reports?type=${type}`);
  await openMore(page);
  await page.getByRole('button', { name: 'Make Pack' }).click();
  const dialog = page.getByRole('dialog', { name: 'Make Pack' });
  await dialog.getByLabel('Who is it for?').fill('Our solicitor');
  await dialog.getByLabel('Why do they need it?').fill('Advice');
  await dialog.getByRole('checkbox', { name: 'With investigations' }).check();
  await dialog.getByRole('button', { name: 'Make Pack' }).click();
  const pack = page.getByRole('article', { name: 'Pack for Our solicitor' });
  await expect(pack).toContainText(/Ready, [\d.]+ [KM]B/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    pack.getByRole('link', { name: 'Download the pack for Our solicitor' }).click(),
  ]);
  const files = execFileSync('python3', ['-m', 'zipfile', '-l', await download.path()], { encoding: 'utf8' });
  expect(files).toContain(`${number}.pdf`);
});
