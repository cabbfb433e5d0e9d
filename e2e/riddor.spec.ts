import type { Locator, Page, Route } from '@playwright/test';
import { api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import { type Case, matchesExpected } from '#shared/law/cases.ts';
import type { AbsenceSpell, Answers } from '#shared/law/facts.ts';
import { riddor2013v2 as rules } from '#shared/law/rules/shipped.ts';
import { riddor2013v2Cases as cases } from '#shared/law/rules/shipped-cases.ts';
import { newReport } from '../src/server/testing/factories.ts';
import type { TestClient } from '../src/server/testing/server.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

/**
 * A manager's answers for an employee who broke a wrist on a wet floor; other questions are not
 * asked.
 */
const answers: Record<string, string> = {
  'Were they at work, and for whom?': 'At work: our employee',
  'What happened to this person?': 'An accident',
  'Did the way things were organised or supervised play a part?': 'No',
  'Did equipment or substances play a part?': 'No',
  'Did the state of the place play a part?': 'Yes',
  'Did they die?': 'No',
  'Did they have any of these injuries?': 'A broken bone diagnosed by a doctor, other than a finger, thumb or toe',
  'Were there days on which they could not do their own job?': 'No',
  'Did any of these happen, even if nobody was hurt?': 'None of these',
  'Did gas or fumes play a part?': 'No',
  'Was a moving vehicle on a road part of it?': 'No',
  'Was the harm caused by treatment by a doctor or dentist, or does another law apply instead?': 'No',
  'Were they a member of the armed forces on duty?': 'No',
  'Who was in control of the place?': 'We were',
};

/** Presses Tab until the focus is there. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const maxPresses = 80;
  for (let press = 0; press < maxPresses; press += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach ${target}`);
}

async function pressButton(page: Page, button: Locator): Promise<void> {
  await tabTo(page, button);
  await page.keyboard.press('Enter');
}

/** Radio buttons with the same name are one stop of Tab; the arrows choose among them. */
async function chooseOption(page: Page, option: Locator): Promise<void> {
  const group = await option.evaluate((input: HTMLInputElement) => (input.type === 'radio' ? input.name : ''));
  const stop = option.page().locator(`input[type=radio][name="${group}"]`);
  if (group === '') await tabTo(page, option);
  else {
    const checked = (await stop
      .filter({ visible: true })
      .evaluateAll((all: HTMLInputElement[]) => all.findIndex((input) => input.checked))) as number;
    await tabTo(page, stop.nth(Math.max(checked, 0)));
    while (!(await option.evaluate((input) => input === document.activeElement)))
      await page.keyboard.press('ArrowDown');
  }
  if (!(await option.isChecked())) await page.keyboard.press('Space');
}

test('a manager answers the RIDDOR questions, decides and records the report as "Reported" with the keyboard', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const admin = await server.as('Admin');
  const { number } = await admin(api.submitAccident, { body: await newReport(admin, { employmentStatus: 'Staff' }) });
  // Another one, so that something is left to do.
  await admin(api.submitAccident, { body: await newReport(admin) });
  await signInAs(page, 'Health & Safety Manager');
  await page.goto(`/get-reports?view=list&accident=${number}`);
  const strip = page.getByText(/^RIDDOR: /);
  await expect(strip).toContainText(/\d to assess/);
  const before = (await strip.textContent()) ?? '';
  const row = page.getByRole('button', { name: new RegExp(number) });
  await expect(row).toContainText('Not assessed. If reportable, due by');
  await expectAccessiblePage(page);
  await row.click();
  const details = page.getByRole('dialog', { name: 'Report Details' });
  await expect(details).toContainText('Not assessed. If reportable, due by');
  await details.getByRole('tab', { name: 'RIDDOR' }).click();
  await expect(details).toContainText('Nothing is sent automatically.');
  await expect(details.getByRole('heading', { name: 'Not decided yet' })).toBeVisible();
  // No reason is shown before an answer, and the day only with how it is counted.
  const result = details.getByRole('complementary', { name: 'Result' });
  await expect(result).toContainText('10 days after the accident, the shortest time that can still apply.');
  await expect(result).toContainText('Answer the questions. The result and its reasons appear here.');
  await expect(result).not.toContainText(/regulation|more than|Keep a record|Still open|It is not yet clear/);
  await details.getByRole('button', { name: 'What does this mean?' }).click();
  await expect(details).toContainText('Agency staff belong to the firm that pays them.');
  await expectAccessiblePage(page);

  const question = details.getByRole('heading', { level: 3 }).first();
  await expect(question).toHaveText('Were they at work, and for whom?');
  for (let step = 0; step < Object.keys(answers).length; step += 1) {
    const questionText = (await question.textContent()) ?? '';
    if (!(questionText in answers)) break;
    await chooseOption(page, details.getByLabel(answers[questionText] ?? '', { exact: true }));
    if (step % 2 === 0) await pressButton(page, details.getByRole('button', { name: 'Next', exact: true }));
    else await page.keyboard.press('Enter');
    await expect(question).not.toHaveText(questionText);
    await expect(question).toBeFocused();
    // The report suggests the first answer only.
    if (step === 0) await expect(details.getByRole('button', { name: 'Skip' })).toBeVisible();
  }
  await expect(question).toHaveText('All questions are answered');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(details.getByRole('button', { name: 'Save', exact: true })).toBeInViewport({ ratio: 1 });
  await expect(
    details.getByRole('heading', { name: /Looks reportable: specified injury, regulation 4\(1\)/ }),
  ).toBeInViewport({ ratio: 1 });
  await details.getByRole('button', { name: 'Back' }).click();
  await details.getByRole('button', { name: 'Next', exact: true }).click();

  // Closing the dialog by accident loses no answer.
  await details.getByRole('button', { name: 'Close', exact: true }).click();
  await row.click();
  await details.getByRole('tab', { name: 'RIDDOR' }).click();
  await expect(question).toHaveText('All questions are answered');
  await pressButton(page, details.getByRole('button', { name: 'Save', exact: true }));
  await expect(details.getByText('Assessment saved')).toBeVisible();
  await expect(details.getByRole('heading', { name: 'Decision' })).toBeFocused();
  await expect(details.getByRole('button', { name: 'Save Decision', exact: true })).toBeInViewport({ ratio: 1 });
  await pressButton(page, details.getByRole('button', { name: 'Save Decision', exact: true }));
  await expect(details.getByText(/Reportable, decided by/)).toBeVisible();
  await expect(details.getByRole('heading', { name: 'Reporting to HSE' })).toBeFocused();
  await expect(details).toContainText(
    'Telephone as published by HSE, read in November 2026; hse.gov.uk/riddor has the current one.',
  );
  await expect(details.getByRole('link', { name: "Open HSE's Form" })).toHaveAttribute('href', /hse\.gov\.uk/);
  await pressButton(page, details.getByRole('button', { name: 'I Have Reported It' }));
  await pressButton(page, details.getByRole('button', { name: 'Record It' }));
  await expect(details.getByText("Enter HSE's reference, or in the note why there is none")).toBeVisible();
  await tabTo(page, details.getByLabel("HSE's reference"));
  await page.keyboard.type('HSE-77');
  await details.getByRole('tab', { name: 'Details' }).click();
  await details.getByRole('tab', { name: 'RIDDOR' }).click();
  await expect(details.getByLabel("HSE's reference")).toHaveValue('HSE-77');
  await expectAccessiblePage(page);
  await pressButton(page, details.getByRole('button', { name: 'Record It' }));
  const reportedText = /^Reported .*HSE ref HSE-77$/;
  await expect(details.getByText(reportedText).first()).toBeVisible();
  await details.getByRole('tab', { name: 'Details' }).click();
  await expect(details.getByText(reportedText)).toBeVisible();
  await details.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(row.getByText(reportedText)).toBeVisible();
  await expect(strip).not.toHaveText(before);
  await page.goto('/admin');
  const { overdue, toReport, toAssess } = await admin(api.countDuties);
  const counts = [`${overdue} overdue`, `${toReport} to report`, `${toAssess} to assess`].filter(
    (text) => !/^0 /.test(text),
  );
  await expect(strip).toHaveText(`RIDDOR: ${counts.join(', ')}`);
});

const findDays = (facts: object) => JSON.stringify(facts).match(/\d{4}-\d\d-\d\d/g) ?? [];

/**
 * Whether a user can enter these facts on the screen today: one person, no absence that still
 * lasts.
 */
const isAnswerable = ({ facts: { people, event, ...days } }: Case) =>
  findDays({ people, event, ...days }).every((day) => day <= getToday()) &&
  people.length === 1 &&
  (event.hospitalPremises ?? 'no') === 'no' &&
  ((people[0]?.spells ?? []) as AbsenceSpell[]).every(({ back }) => back !== null);

const answerableCases = cases.vectors.filter(isAnswerable);
const sample = answerableCases.filter((_, index) => index % Math.ceil(answerableCases.length / 2) === 0);

/** Answers the shown question from the facts of a case. */
async function answer(details: Locator, label: string, answers: Answers): Promise<void> {
  const question = rules.questions?.find((one) => one.label === label);
  if (!question) throw new Error(`${label} is no question`);
  const { field } = question;
  const { options = {} } = question;
  const values = rules.values[field];
  const answer = answers[field] ?? 'unsure';
  if (values === 'day') return answer === 'unsure' ? undefined : details.getByLabel('Day').fill(String(answer));
  if (Array.isArray(answer) && typeof answer[0] === 'object') {
    for (const [index, { from, back }] of (answer as AbsenceSpell[]).entries()) {
      if (index > 0) await details.getByRole('button', { name: 'Add Another Absence' }).click();
      const spell = details.getByRole('group', { name: `Absence ${index + 1}` });
      await spell.getByLabel('First day off work').fill(from);
      await spell.getByLabel('Still off work').uncheck();
      await spell.getByLabel('Back on').fill(back ?? '');
    }
    return;
  }
  if (typeof answer === 'number') return details.getByRole('spinbutton').fill(String(answer));
  for (const value of Array.isArray(answer) ? answer : [answer]) {
    const name = options[String(value)] ?? (value === 'unsure' ? 'Not sure' : String(value));
    await details.getByLabel(name, { exact: true }).click();
  }
}

test('RIDDOR cases answered on the screen give the expected result', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const admin = await server.as('Admin');
  await signInAs(page, 'Health & Safety Manager');
  const failed: string[] = [];
  for (const { id: name, facts, expect: expected } of sample) {
    const body = await newReport(admin, { employmentStatus: 'Visitor', date: facts.accidentOn });
    const { id } = await admin(api.submitAccident, { body });
    await page.goto(`/get-reports?report=${id}`);
    const details = page.getByRole('dialog', { name: 'Report Details' });
    await details.getByRole('tab', { name: 'RIDDOR' }).click();
    const question = details.getByRole('heading', { level: 3 }).first();
    for (;;) {
      const questionText = (await question.textContent()) ?? '';
      if (/questions? (?:is|are) (?:not )?answered$/.test(questionText)) break;
      await answer(details, questionText, { ...facts.event, ...facts.people[0] });
      // A tap on an answer that needs nothing else moves on.
      if ((await question.textContent()) === questionText)
        await details.getByRole('button', { name: 'Next', exact: true }).click();
      await expect(question).not.toHaveText(questionText);
    }
    await details.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(details.getByText('Assessment saved')).toBeVisible();
    const { result } = await admin(api.getAssessment, { params: { id } });
    if (!matchesExpected(expected, result)) failed.push(`${name}: ${JSON.stringify(result)}`);
  }
  expect(sample.length).toBeGreaterThan(1);
  expect(failed).toEqual([]);
});

test('a decision that differs from the result of the RIDDOR assessment needs a reason, which is shown with it', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const admin = await server.as('Admin');
  const body = await newReport(admin, { employmentStatus: 'Contractor', emergencyService: 'Ambulance' });
  const { id, number } = await admin(api.submitAccident, { body });
  await admin(api.saveAssessment, { params: { id }, body: { version: 0, answers: {}, people: [{}] } });
  await page.setViewportSize({ width: 320, height: 640 });
  await signInAs(page, 'Health & Safety Manager');
  await page.goto(`/get-reports?view=list&accident=${number}`);
  const row = page.getByRole('button', { name: new RegExp(number) });
  await row.click();
  const details = page.getByRole('dialog', { name: 'Report Details' });
  await details.getByRole('tab', { name: 'RIDDOR' }).click();
  await expect(details.getByText('The report says Contractor. Did a firm employ them')).toBeVisible();
  await expect(details.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await details.getByLabel('Not reportable', { exact: true }).check();
  await details.getByRole('button', { name: 'Save Decision', exact: true }).click();
  await expect(details.getByText(/Give a reason of at least 10 characters/)).toBeVisible();
  await details.getByRole('textbox', { name: 'Reason' }).fill('Only a bruise, says the doctor');
  await details.getByRole('button', { name: 'Save Decision', exact: true }).click();
  await expect(details.getByText(/Not reportable, decided by/)).toBeInViewport({ ratio: 1 });
  await expect(details.getByRole('heading', { name: 'Decision' })).toBeFocused();
  const saveDecision = details.getByRole('button', { name: 'Save Decision', exact: true });
  await expect(saveDecision).toBeDisabled();
  await details.getByLabel('Record only: keep a record, do not report it').check();
  await expect(saveDecision).toBeEnabled();
  await details.getByLabel('Not reportable', { exact: true }).check();
  await expectAccessiblePage(page);
  await expect(details.getByText('Not reportable: Only a bruise, says the doctor').first()).toBeVisible();
});

const conflictText = /Someone else has changed this assessment/;

/**
 * Opens the assessment of a new report and answers its first question. `respond` handles the first
 * save.
 */
async function answerFirstQuestion(page: Page, reviewer: TestClient, respond: (route: Route) => Promise<void>) {
  const { id, number } = await reviewer(api.submitAccident, {
    body: await newReport(reviewer, { employmentStatus: 'Staff' }),
  });
  let saves = 0;
  await page.route(`**/api/reports/${id}/assessment`, (route) => {
    const isFirst = route.request().method() === 'PUT' && saves++ === 0;
    return isFirst ? respond(route) : route.continue();
  });
  await page.goto(`/get-reports?view=list&accident=${number}`);
  await page.getByRole('button', { name: new RegExp(number) }).click();
  const details = page.getByRole('dialog', { name: 'Report Details' });
  const tab = details.getByRole('tab', { name: 'RIDDOR' });
  await tab.click();
  // A tap confirms the answer that the report suggests.
  await expect(details.getByLabel('At work: our employee', { exact: true })).toBeChecked();
  await details.getByLabel('At work: our employee', { exact: true }).click();
  return { id, details, tab, save: details.getByRole('button', { name: 'Save', exact: true }) };
}

test('an assessment that is saved while another tab of the details is open is shown as saved', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const reviewer = await signInAs(page, 'Health & Safety Manager', 'Lido Beach');
  const { promise: untilAway, resolve: leave } = Promise.withResolvers<void>();
  const { details, tab, save } = await answerFirstQuestion(page, reviewer, async (route) => {
    await untilAway;
    await route.continue();
  });
  const response = page.waitForResponse((response) => response.request().method() === 'PUT');
  await save.click();
  await details.getByRole('tab', { name: 'Details' }).click();
  await expect(save).toHaveCount(0);
  leave();
  await (await response).finished();
  await tab.click();
  await expect(details.getByText('Assessment saved')).toBeVisible();
  await expect(details.getByText('Your answers are not saved yet.')).toHaveCount(0);
  await expect(details.getByText(conflictText)).toHaveCount(0);
});

test('answers given while an assessment is saved are kept and can be saved', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  const reviewer = await signInAs(page, 'Health & Safety Manager', 'Lido Beach');
  const { promise: untilChanged, resolve: respond } = Promise.withResolvers<void>();
  const { id, details, save } = await answerFirstQuestion(page, reviewer, async (route) => {
    await untilChanged;
    await route.continue();
  });
  await save.click();
  await details.getByLabel('An accident', { exact: true }).click();
  respond();
  await expect(details.getByText('Your answers are not saved yet.')).toBeVisible();
  await expect(save).toBeEnabled();
  await save.click();
  await expect(details.getByText('Assessment saved')).toBeVisible();
  await expect(details.getByText(conflictText)).toHaveCount(0);
  const { version, people } = await reviewer(api.getAssessment, { params: { id } });
  expect({ version, people }).toMatchObject({ version: 2, people: [{ class: 'employee', harm: 'accident' }] });
});

test.describe('without a response', () => {
  // The browser logs the request without a response, and the repetition that the server rejects.
  test.use({ allowedConsoleErrors: /Failed to load resource/ });

  for (const where of ['on the second attempt', 'with more answers', 'after the Details tab was opened'])
    test(`an assessment whose save had no response is saved ${where}, and not taken for someone else's change`, {
      tag: '@once',
    }, async ({ page, signInAs }) => {
      const reviewer = await signInAs(page, 'Health & Safety Manager', 'Lido Beach');
      const { id, details, tab, save } = await answerFirstQuestion(page, reviewer, async (route) => {
        await route.fetch();
        await route.abort();
      });
      await save.click();
      await expect(details.getByText('The assessment could not be saved. Please try again.')).toBeVisible();
      if (where === 'with more answers') {
        await details.getByLabel('An accident', { exact: true }).click();
      }
      if (where === 'after the Details tab was opened') {
        await details.getByRole('tab', { name: 'Details' }).click();
        const reloaded = page.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/assessment'));
        await tab.click();
        await (await reloaded).finished();
      }
      await expect(details.getByText('Your answers are not saved yet.')).toBeVisible();
      await expect(details.getByText(conflictText)).toHaveCount(0);
      await save.click();
      await expect(details.getByText('Assessment saved')).toBeVisible();
      await expect(details.getByText(conflictText)).toHaveCount(0);
      expect(await reviewer(api.getAssessment, { params: { id } })).toMatchObject({
        people: [{ class: 'employee', ...(where === 'with more answers' && { harm: 'accident' }) }],
      });
    });
});

test.describe('with a rejected request', () => {
  test.use({ allowedConsoleErrors: /Failed to load resource/ });

  test("a manager's unsaved decision does not replace the newer one of a colleague unless the manager chooses so", {
    tag: '@once',
  }, async ({ page, server, signInAs }) => {
    const [colleague, manager] = [await server.as('Admin'), await signInAs(page, 'Health & Safety Manager')];
    const { id, number } = await colleague(api.submitAccident, { body: await newReport(colleague) });
    const params = { id };
    await colleague(api.saveAssessment, { params, body: { version: 0, answers: {}, people: [{}] } });
    await page.goto(`/get-reports?view=list&accident=${number}`);
    await page.getByRole('button', { name: new RegExp(number) }).click();
    const details = page.getByRole('dialog', { name: 'Report Details' });
    const tab = details.getByRole('tab', { name: 'RIDDOR' });
    await tab.click();
    await details.getByLabel('Not reportable', { exact: true }).check();
    await details.getByRole('textbox', { name: 'Reason' }).fill('Only a bruise, says the doctor');
    const theirs = { decision: 'reportable' as const, reason: 'The hospital found a fracture' };
    await colleague(api.decideAssessment, { params, body: { version: 1, ...theirs } });

    await details.getByRole('tab', { name: 'Details' }).click();
    await tab.click();
    await expect(details.getByText(/^Reportable, decided by/)).toBeVisible();
    await expect(details.getByText('The assessment has changed since you chose this.')).toBeVisible();
    await expect(details.getByRole('textbox', { name: 'Reason' })).toHaveValue('Only a bruise, says the doctor');
    const rejected = page.waitForResponse((response) => response.status() === 409);
    await details.getByRole('button', { name: 'Save Decision', exact: true }).click();
    await rejected;
    expect(await manager(api.getAssessment, { params })).toMatchObject(theirs);
    await details.getByRole('button', { name: 'Save My Decision Anyway' }).click();
    await expect(details.getByText(/^Not reportable, decided by/)).toBeVisible();
    await expect(details.getByText('The assessment has changed since you chose this.')).toHaveCount(0);
  });
});
