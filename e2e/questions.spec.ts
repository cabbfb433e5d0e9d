// A form with a question of every type, on a phone without a connection.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { photo } from '../src/server/testing/factories.ts';
import { disablePrinting, printToPdf } from './checklists.ts';
import { readOfflineCopies } from './drafts.ts';
import { goOffline, test, waitForCachedScreens } from './installed-app.ts';
import { savedText } from './outbox.ts';
import { takePicture } from './page-checks.ts';
import { signByTyping } from './report-form.ts';
import { expect, expectAccessiblePage } from './server.ts';

test.use({ serviceWorkers: 'allow', allowedConsoleErrors: /Failed to load resource|ERR_INTERNET_DISCONNECTED/ });

const park = 'Mounds';
const title = 'Pool opening';
const toChoices = (texts: string[], failing: string[] = []) =>
  texts.map((text) => ({ text, fails: failing.includes(text) }));
const sections = [
  { title: 'Before you start', type: 'info', required: false, help: 'Wear gloves.\nKeep guests out of the pool.' },
  {
    ...{ title: 'Disinfectant', type: 'choice', required: true, heading: 'Water' },
    choices: toChoices(['Chlorine', 'Bromine']),
  },
  {
    ...{ title: 'Free chlorine', type: 'text', required: false, help: 'Take it at the shallow end.' },
    number: { unit: 'mg/l', min: 1, max: 3, allowNA: true },
    onFail: { when: 'outOfRange', photo: 'optional', audit: { urgent: false, days: 5, assignees: {} } },
    showIf: { section: 1, answers: ['Chlorine'] },
  },
  {
    ...{ title: 'Bromine', type: 'text', required: true, number: { unit: 'mg/l', min: 2, max: 4 } },
    showIf: { section: 1, answers: ['Bromine'] },
  },
  {
    ...{ title: 'Seen in the water', type: 'choices', required: false },
    choices: toChoices(['Leaves', 'Sand', 'Broken glass'], ['Broken glass']),
  },
  {
    ...{ title: 'Colour', type: 'choice', required: false },
    choices: toChoices(['Clear', 'Blue', 'Green', 'Brown', 'White', 'Yellow', 'Grey', 'Black']),
  },
  { title: 'The whole pool', type: 'photo', required: true, help: 'From the steps.' },
  { title: 'Checked with', type: 'person', required: true },
  { title: 'Gate locks', type: 'checkbox', required: false, onFail: { when: 'notTicked', photo: 'optional' } },
  { title: 'Cover off', type: 'na', required: false },
  { title: 'Next test', type: 'date', required: false, help: 'Within a week.' },
  { title: 'Begun at', type: 'time', required: false },
  { title: 'Signed', type: 'signature', required: false },
] as const;
const image = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await photo() });

test(
  'a form with every type is filled in offline, survives the end of its tab, and arrives complete',
  {
    tag: '@once',
  },
  async ({ page: firstPage, context, server, signInAs }, testInfo) => {
    test.slow();
    let page = firstPage;
    const admin = await server.as('Admin');
    const colleagues = [await server.as('None', park), await server.as('None', park)] as const;
    const details = (full_name: string) => ({ full_name, email: '' });
    for (const [index, full_name] of ['Mair Tudor', 'Huw Parry'].entries())
      await admin(api.updateUserDetails, { params: { id: colleagues[index]?.id ?? '' }, body: details(full_name) });
    await admin(api.saveParkSettings, { body: { park, assignee: colleagues[0].username } });
    await admin(api.createChecklist, { body: { title, notes: 'any', sections: [...sections] as never } });

    await page.clock.install();
    await signInAs(page, 'None', park);
    await page.goto('/checklists');
    await waitForCachedScreens(page);
    await page.clock.runFor(11_000);
    await expect.poll(() => readOfflineCopies(page)).toContain('Huw Parry');
    await goOffline(page, context);
    const open = () => page.getByRole('button', { name: new RegExp(`^${title}`) }).click();
    await page.reload();
    await open();

    // Text to read, help, and what a failing answer does.
    await expect(page.getByText('Keep guests out of the pool.')).toBeVisible();
    const box = page.getByRole('checkbox', { name: 'Gate locks' });
    await expect(box).toHaveAccessibleDescription('Fails if: not ticked. No audit is created.');
    // What is hidden does not exist.
    const chlorine = page.getByRole('textbox', { name: 'Free chlorine' });
    await expect(page.getByText('Bromine', { exact: true })).toHaveCount(1);
    await expect(chlorine).toHaveCount(0);
    await page.getByRole('radio', { name: 'Chlorine' }).check();
    await expect(chlorine).toHaveAccessibleDescription(
      '1 to 3 mg/l. Fails if: out of range. Creates an audit: due in 5 days. Take it at the shallow end.',
    );
    await page.getByRole('button', { name: 'N/A: Free chlorine' }).click();
    await expect(chlorine).toHaveValue('N/A');
    await chlorine.fill('0.2');
    await chlorine.blur();
    const failing = page.getByRole('group', { name: 'Failing: Free chlorine' });
    await expect(failing.getByText(/^It becomes the job of Mair Tudor, due/)).toBeVisible();
    await failing.getByLabel('What is wrong?').fill('Dosing pump stopped');
    await failing.getByRole('button', { name: /^Change who does it/ }).click();
    await failing.getByLabel('Person who should do it').selectOption('Huw Parry');
    await expect(failing.getByText(/^It becomes the job of Huw Parry, due/)).toBeVisible();
    const due = failing.getByLabel('Due');
    await due.fill(addDays(getToday(), 9));
    await page.getByRole('button', { name: 'Submit Checklist' }).click();
    await expect(failing.getByText(/^Choose a day from today to/)).toBeVisible();
    const day = addDays(getToday(), 2);
    await due.fill(day);

    // Required are the photo and the person, also here.
    await expect(page.getByText('Required', { exact: true })).toHaveCount(2);
    await page.getByLabel('Add Photo: The whole pool').setInputFiles(await image('pool.jpg'));
    await expect(page.getByRole('img', { name: '1, pool.jpg' })).toBeVisible();
    const person = page.getByRole('combobox', { name: 'Checked with' });
    await person.fill('Someone else');
    await expect(person).toHaveAccessibleDescription('Not a user: only the name is kept');
    await person.fill(colleagues[0].username);
    await expect(person).toHaveAccessibleDescription('Mair Tudor');

    for (const name of ['Sand', 'Leaves']) await page.getByRole('checkbox', { name }).check();
    await page.getByRole('combobox', { name: 'Colour' }).selectOption('Blue');
    await box.check();
    await page.getByRole('radio', { name: 'Yes' }).check();
    await page.getByLabel('Next test', { exact: true }).fill(day);
    await page.getByLabel('Begun at', { exact: true }).fill('09:05');
    await page.getByRole('button', { name: 'Add note or photo: Cover off' }).click();
    const note = page.getByRole('group', { name: 'Note: Cover off' });
    await expect(note.getByLabel('Note', { exact: true })).toBeFocused();
    await note.getByLabel('Note', { exact: true }).fill('Stiff roller');
    await note.getByLabel('Add Photo: Cover off').setInputFiles(await image('roller.jpg'));
    await expect(note.getByRole('img', { name: '1, roller.jpg' })).toBeVisible();
    await signByTyping(page, /Signed/, 'Siân Owen-Price');

    // The tab ends, and everything is still there.
    await page.close();
    page = await context.newPage();
    await disablePrinting(page);
    await page.goto('/checklists');
    await open();
    await expect(page.getByRole('textbox', { name: 'Free chlorine' })).toHaveValue('0.2');
    await expect(page.getByRole('group', { name: 'Note: Cover off' }).getByLabel('Note', { exact: true })).toHaveValue(
      'Stiff roller',
    );
    await expect(page.getByRole('img', { name: '1, roller.jpg' })).toBeVisible();
    await expect(page.getByText(/^It becomes the job of Huw Parry, due/)).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Checked with' })).toHaveValue('Mair Tudor');
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await takePicture(page, `form-${width}`);
      if (width !== 390) await expectAccessiblePage(page);
    }
    await page.setViewportSize({ width: 320, height: 640 });

    // On paper: what was answered, and boxes to tick.
    await page.getByRole('button', { name: 'Print Checklist' }).click();
    const filled = await printToPdf(page, 'filled', testInfo);
    expect(filled).toContain('1 photo');
    expect(filled).toContain('Note: Stiff roller');
    for (const text of ['Before you start', 'Bromine']) expect(filled).not.toContain(text);
    await page.getByRole('button', { name: 'Print Empty Form' }).click();
    const empty = await printToPdf(page, 'empty', testInfo);
    expect(empty).toContain('Only if Disinfectant: Bromine');
    for (const text of ['Leaves', 'Photo taken', 'N/A']) expect(empty).toContain(text);
    expect(empty).not.toContain('Before you start');

    await page.getByRole('button', { name: 'Submit Checklist' }).click();
    await expect(page.getByText(savedText).first()).toBeVisible();
    await context.setOffline(false);
    const list = () => admin(api.listSubmissions, { query: { title, limit: 9 } });
    await expect.poll(async () => (await list()).length, { timeout: 60_000 }).toBe(1);
    const [{ id = '' } = {}] = await list();
    const submission = await admin(api.getSubmission, { params: { id } });
    const { 12: signature, ...data } = submission.data;
    expect(signature).toMatch(/^data:image\/png/);
    expect(data).toEqual({
      1: 'Chlorine',
      2: '0.2',
      4: 'Leaves\nSand',
      5: 'Blue',
      7: 'Mair Tudor',
      8: true,
      9: 'Yes',
      10: day,
      11: '09:05',
    });
    expect(submission.people).toEqual({ 7: colleagues[0].id });
    expect(submission.failures).toMatchObject({ 2: { note: 'Dosing pump stopped' } });
    expect(submission.notes).toMatchObject({
      6: { note: '', media_files: [{ name: 'pool.jpg' }] },
      9: { note: 'Stiff roller', media_files: [{ name: 'roller.jpg' }] },
    });
    const path = testInfo.outputPath('submission.pdf');
    writeFileSync(path, await admin(api.getSubmissionPdf, { params: { id } }));
    const pdf = execFileSync('pdftotext', ['-layout', path, '-']).toString();
    for (const text of ['Notes and photos', 'Stiff roller', 'Mair Tudor', '1 photo']) expect(pdf).toContain(text);
    for (const text of ['Before you start', 'Bromine']) expect(pdf).not.toContain(text);
    const [audit] = await colleagues[1](api.listOpenAudits, { query: { mine: 'yes' } });
    expect(audit).toMatchObject({ title: 'Free chlorine', date: day });
  },
);
