// Investigations through the screens: a reviewer investigates, the worker does, a colleague verifies.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newFolder, newReport } from '../src/server/testing/factories.ts';
import { photo, tabTo } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

test.use({ allowedConsoleErrors: /Failed to load resource/ });

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
async function save(page: Page, name: string) {
  await section(page, name).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(section(page, name).getByText('Saved', { exact: true })).toBeVisible();
}

test('an investigation of a crushed hand can be worked through from its start until it is closed', async ({
  page,
  signInAs,
  server,
}) => {
  test.slow();
  const manager = await signInAs(page, 'Health & Safety Manager', '');
  const folder = await newFolder(manager, { name: 'Machines', park: 'Robin Hood' });
  const worker = await server.as('None', 'Robin Hood');
  const colleague = await server.as('None', 'Robin Hood');
  const report = await manager(api.submitAccident, {
    body: await newReport(manager, { selectedPlace: 'Robin Hood', type: 'Crushed hand', location: 'Laundry' }),
  });

  await page.goto(`/get-reports?report=${report.id}`);
  await page.getByRole('button', { name: 'Start Investigation' }).click();
  await expect(page.getByRole('heading', { name: /Investigation INV-/ })).toBeVisible();
  await expectAccessiblePage(page);

  const other = await manager(api.submitAccident, { body: await newReport(manager) });
  await page.getByLabel('Add another report').fill(other.number);
  await page.getByRole('button', { name: 'Add Report' }).click();
  await page.getByLabel('What was done at once to make it safe').fill('The press was switched off and locked.');
  await save(page, 'Made Safe at Once');
  await page.getByLabel('What could reasonably have happened').selectOption('Major');
  await page.getByLabel('How likely it is again').selectOption('Possible');
  await expect(page.getByLabel('Level', { exact: true })).toHaveValue('medium');
  await save(page, 'How Deep');
  await page.getByLabel('What happened', { exact: true }).fill('A hand was crushed while clearing a jam.');
  await page.getByLabel('What was learnt').fill('The procedure for jams was in a folder that nobody knew.');
  await section(page, 'What Happened').getByLabel('Choose Photos').setInputFiles(photo('phone-jolla.jpg'));
  await page.getByRole('button', { name: 'Add Something Kept Elsewhere' }).click();
  await page.getByLabel('What it is').fill('Camera recording');
  await page.getByLabel('Where it is kept').fill('Office safe');
  await save(page, 'What Happened');
  await page.getByRole('button', { name: 'Add a Statement' }).click();
  await section(page, 'Statements').getByLabel('Name').fill('Owen Price');
  await section(page, 'Statements').getByLabel('Under 18').check();
  await section(page, 'Statements').getByLabel('Who was with them').fill('His mother');
  await section(page, 'Statements').getByLabel('What they said').fill('I did not know that there was a procedure.');
  await save(page, 'Statements');
  const why = section(page, 'Why');
  await why.getByLabel('Why it happened').fill('The press was not switched off');
  await why.getByRole('button', { name: 'Add a Cause' }).click();
  await why.getByLabel('Why it happened').nth(1).fill('New starters are not shown the procedures');
  await why.getByLabel('What kind of cause').nth(1).selectOption('Root cause');
  await why.getByLabel('Where the cause is').nth(1).selectOption('process');
  await save(page, 'Why');
  await page.getByLabel('Does the risk assessment still hold?').selectOption('It does not hold');
  await save(page, 'Risk Assessment');
  await expectAccessiblePage(page);

  const actions = section(page, 'Actions');
  await actions.getByRole('button', { name: 'No action needed: Cause 1' }).click();
  await actions.getByLabel('Cause 1: no action, because').fill('Cause 2 covers it');
  await actions.getByRole('button', { name: 'Save Reason' }).click();
  await expect(actions.getByText('No action, because: Cause 2 covers it')).toBeVisible();
  for (const [cause, title] of [
    ['Cause 2', 'Put the procedure on the press'],
    ['Risk assessment', 'Write the assessment again'],
  ]) {
    await actions.getByRole('button', { name: `Add an action: ${cause}` }).click();
    await actions.getByLabel('Park and folder').selectOption('Robin Hood: Machines');
    await actions.getByLabel('Title').fill(title ?? '');
    await actions.getByLabel('Person who should complete this job').fill(worker.username);
    await actions.getByRole('button', { name: 'Create Action' }).click();
    await expect(actions.getByRole('link', { name: title })).toBeVisible();
  }
  await expect(page.getByLabel('Add another report')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Take out/ })).toHaveCount(2);
  await page.getByRole('button', { name: 'Findings Complete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Findings Complete' }).click();
  await expect(section(page, 'Findings').getByText(/Left: 2 actions/)).toBeVisible();
  await expect(page.getByText('I did not know that there was a procedure.')).toBeVisible();
  await expect(page.getByLabel('What happened', { exact: true })).toBeHidden();
  await expect(section(page, 'Records It Covers').getByRole('link')).toHaveCount(2);
  await expect(page.getByLabel('Add another report')).toBeHidden();
  await expect(page.getByRole('button', { name: /^Take out/ })).toBeHidden();
  await page.getByRole('button', { name: 'Add a Correction' }).click();
  await page.getByLabel('What was wrong, and what is right').fill('It was the left hand.');
  await page.getByRole('button', { name: 'Save Correction' }).click();
  await expect(page.getByText('It was the left hand.')).toBeVisible();
  await page.getByRole('button', { name: 'Copy for Safety Representatives' }).click();
  const copy = page.getByLabel('Text of the copy for safety representatives');
  await expect(copy).toHaveValue(
    /What was learnt\nThe procedure for jams.+1\. The press was not switched off.+Corrections\n1\. It was the left hand/s,
  );
  const release = page.getByRole('button', { name: 'Release Copy' });
  await copy.fill('Owen Price crushed a hand.');
  await release.click();
  const review = page.getByRole('group', { name: 'This may show who someone is' });
  await expect(review.getByRole('radiogroup')).toHaveCount(1);
  await expectAccessiblePage(page);
  // Another text is searched again, and each part needs a decision.
  await copy.fill('Price crushed a hand. Mrs Tudor saw it. Price was alone.');
  await expect(review).toBeHidden();
  await release.click();
  await expect(review.getByRole('radiogroup')).toHaveText([
    /^Price crushed a hand\./,
    /^Mrs Tudor saw it\./,
    /^Price was alone\./,
  ]);
  await review.getByLabel('Replace with [name]').first().check();
  await review.getByLabel('Leave').nth(1).check();
  await release.click();
  await expect(page.getByText('Choose Replace or Leave for each')).toBeVisible();
  await review.getByLabel('Replace with [name]').nth(2).check();
  await release.click();
  await expect(page.getByText('[name] crushed a hand. Mrs Tudor saw it. [name] was alone.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Download Copy' })).toBeVisible();
  await expectAccessiblePage(page);

  const audits = await server.db.selectFrom('audits').select('id').where('folder_id', '=', folder).execute();
  for (const { id } of audits) {
    await worker(api.updateAudit, { params: { id }, body: { data: { completed: true } } });
    await colleague(api.verifyAudit, { params: { id }, body: { outcome: 'works', text: 'I asked three people' } });
  }
  await page.reload();
  await expect(section(page, 'Findings').getByText(/^Closed on/)).toBeVisible();
  await page.getByRole('link', { name: 'Investigations', exact: true }).click();
  await page.getByText('Closed (1)').click();
  await expectAccessiblePage(page);
  await page.getByRole('link', { name: /INV-/ }).click();
  await page.getByRole('link', { name: 'Put the procedure on the press' }).click();
  await expect(page.getByRole('link', { name: /Investigation INV-/ })).toBeVisible();
});

test('unsaved text of an investigation is kept when someone else saves the same part', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const manager = await signInAs(page, 'Health & Safety Manager', '');
  const other = await server.as('Health & Safety Manager');
  const report = await manager(api.submitAccident, { body: await newReport(manager) });
  const { id } = await manager(api.createInvestigation, { body: { thing: 'report', id: report.id } });
  const { sections } = await manager(api.getInvestigation, { params: { id } });
  await page.goto(`/investigations/${id}`);
  await page.getByLabel('What was done at once to make it safe').fill('Mine');
  await page.getByLabel('What was learnt').fill('My facts');
  await other(api.saveInvestigationSection, {
    params: { id: sections.madeSafe.id },
    body: { section: 'madeSafe', version: 0, content: { text: 'Theirs' } },
  });
  await save(page, 'What Happened');
  const part = section(page, 'Made Safe at Once');
  await expect(part.getByText('Someone else has changed this part.')).toBeVisible();
  await expect(part.getByText('Theirs', { exact: true })).toBeVisible();
  await expect(page.getByLabel('What was done at once to make it safe')).toHaveValue('Mine');
  await part.getByRole('button', { name: 'Save My Text Anyway' }).click();
  await expect(part.getByText('Saved', { exact: true })).toBeVisible();
  expect((await manager(api.getInvestigation, { params: { id } })).sections).toMatchObject({
    madeSafe: { version: 2, content: { text: 'Mine' } },
    facts: { version: 1, content: { learnt: 'My facts' } },
  });
});

test('text written while a part of an investigation is saved is kept, and saved with the next press', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const manager = await signInAs(page, 'Health & Safety Manager', '');
  const report = await manager(api.submitAccident, { body: await newReport(manager) });
  const { id } = await manager(api.createInvestigation, { body: { thing: 'report', id: report.id } });
  let answer = () => {};
  const isWritten = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/investigation-sections/*', async (route) => {
    await isWritten;
    await route.continue();
  });
  await page.goto(`/investigations/${id}`);
  const text = page.getByLabel('What was done at once to make it safe');
  const part = section(page, 'Made Safe at Once');
  await text.fill('Closed.');
  const request = page.waitForRequest('**/api/investigation-sections/*');
  await part.getByRole('button', { name: 'Save' }).click();
  await request;
  await text.fill('Closed. Taped off.');
  answer();
  await expect(part.getByText(/^Saved by/)).toBeVisible();
  await expect(text).toHaveValue('Closed. Taped off.');
  await expect(part.getByText('Not saved yet.')).toBeVisible();
  await part.getByRole('button', { name: 'Save' }).click();
  await expect(part.getByText('Saved', { exact: true })).toBeVisible();
  const { sections } = await manager(api.getInvestigation, { params: { id } });
  expect(sections.madeSafe).toMatchObject({ version: 2, content: { text: 'Closed. Taped off.' } });
});

test('one investigation of a low level covers two illnesses in a chalet, with fewer than 40 taps', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  test.slow();
  const manager = await signInAs(page, 'Health & Safety Manager', '');
  const folder = { name: 'Water', park: 'Sunny Sands' };
  await newFolder(manager, folder);
  const body = { selectedPlace: 'Sunny Sands', type: 'Illness', location: 'Chalet 229' };
  const first = await manager(api.submitIncident, { body: await newReport(manager, body) });
  const second = await manager(api.submitIncident, { body: await newReport(manager, { ...body, date: '2026-10-02' }) });
  let taps = 0;
  const press = async (name: string | RegExp) => {
    taps += 1;
    await page.getByRole('button', { name, exact: true }).click();
  };
  const write = async (label: string, text: string) => {
    taps += 1;
    await page.getByRole('textbox', { name: label, exact: true }).fill(text);
  };
  const choose = async (label: string, option: string) => {
    taps += 2;
    await page.getByRole('combobox', { name: label, exact: true }).selectOption(option);
  };
  const saveSection = async (name: string) => {
    taps += 1;
    await save(page, name);
  };

  await page.goto(`/get-reports?report=${first.id}`);
  await press('Start Investigation');
  await write('Add another report', second.number);
  await press('Add Report');
  await expect(page.getByRole('link', { name: second.number })).toBeVisible();
  await write('What was done at once to make it safe', 'The chalet was closed and its water tested.');
  await saveSection('Made Safe at Once');
  await choose('What could reasonably have happened', 'serious');
  await choose('How likely it is again', 'possible');
  await expect(page.getByLabel('Level', { exact: true })).toHaveValue('low');
  await saveSection('How Deep');
  await write('What happened', 'Two families were ill within a year.');
  await write('What was learnt', 'Nobody compares reports of one chalet.');
  await saveSection('What Happened');
  await write('Why it happened', 'The boiler stands below 60 degrees.');
  await saveSection('Why');
  await choose('Does the risk assessment still hold?', 'holds');
  await saveSection('Risk Assessment');
  await press('Add an action: Cause 1');
  await choose('Park and folder', `${folder.park}: ${folder.name}`);
  await write('Title', 'Set the boilers to 60 degrees');
  await press('Create Action');
  await expect(page.getByRole('link', { name: 'Set the boilers to 60 degrees' })).toBeVisible();
  await press('Findings Complete');
  taps += 1;
  await page.getByRole('dialog').getByRole('button', { name: 'Findings Complete' }).click();
  await expect(section(page, 'Findings').getByText('Left: 1 action')).toBeVisible();
  expect(taps).toBeLessThan(40);
  for (const { id } of [first, second])
    expect(await manager(api.listInvestigations, { query: { of: id } })).toHaveLength(1);
});

test('an investigation is written and its findings completed with the keyboard alone', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  test.slow();
  const manager = await signInAs(page, 'Health & Safety Manager', '');
  const report = await manager(api.submitAccident, { body: await newReport(manager) });
  const { id } = await manager(api.createInvestigation, { body: { thing: 'report', id: report.id } });
  await page.goto(`/investigations/${id}`);
  const reach = (role: 'button' | 'textbox' | 'combobox', name: string, at = page.locator('body')) =>
    tabTo(page, at.getByRole(role, { name, exact: true }), true);
  const press = async (name: string, at = page.locator('body')) => {
    await reach('button', name, at);
    await page.keyboard.press('Enter');
  };
  const write = async (label: string, text: string) => {
    await reach('textbox', label);
    await page.keyboard.type(text);
  };
  const saveByKey = async (name: string) => {
    await press('Save', section(page, name));
    await expect(section(page, name).getByText('Saved', { exact: true })).toBeVisible();
  };
  await write('What was done at once to make it safe', 'The step was taped off.');
  await saveByKey('Made Safe at Once');
  await reach('combobox', 'Level');
  // The first letter chooses in a native list.
  await page.keyboard.press('m');
  await saveByKey('How Deep');
  await write('What happened', 'A board gave way.');
  await write('What was learnt', 'Boards rot from below.');
  await saveByKey('What Happened');
  await press('Add a Statement');
  await write('Name', 'Owen Price');
  await press('Remove statement 1');
  await press('No action needed: What was learnt');
  await expect(page.getByLabel('What was learnt: no action, because')).toBeVisible();
  await write('What was learnt: no action, because', 'The board was replaced');
  await press('Save Reason');
  await expect(page.getByText('No action, because: The board was replaced')).toBeVisible();
  await press('Findings Complete');
  await press('Findings Complete', page.getByRole('dialog'));
  await expect(section(page, 'Findings').getByText(/^Closed on/)).toBeVisible();
});
