import type { Locator } from '@playwright/test';
import { api } from '#shared/api.ts';
import { getToday } from '#shared/dates.ts';
import { newReport } from '../src/server/testing/factories.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

/** Taps an answer, after which the next question has the focus. */
const tap = (details: Locator, name: string) => details.getByLabel(name, { exact: true }).click();

test('a manager who ticks treatment for an injury that was treated is asked back, and the report stays reportable', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const admin = await server.as('Admin');
  const { id } = await admin(api.submitAccident, { body: await newReport(admin, { employmentStatus: 'Guest' }) });
  await signInAs(page, 'Health & Safety Manager');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/get-reports?report=${id}`);
  const details = page.getByRole('dialog', { name: 'Report Details' });
  await details.getByRole('tab', { name: 'RIDDOR' }).click();
  const question = details.getByRole('heading', { level: 3 }).first();
  const result = details.getByRole('complementary', { name: 'Result' });
  const guestAnswers = ['Not at work', 'An accident', 'No', 'No', 'Yes', 'No', 'Yes, for treatment', 'None of these'];
  for (const name of [...guestAnswers, 'No', 'No']) {
    const text = (await question.textContent()) ?? '';
    await tap(details, name);
    await expect(question).not.toHaveText(text);
  }
  await expect(question).toHaveText(/^Was the harm caused by treatment/);
  await expect(details.getByRole('checkbox').first()).toHaveAccessibleName('No');
  await tap(details, 'Yes, the treatment or examination itself did the harm');
  await expect(result.getByRole('heading')).toHaveText('Not decided yet');
  await details.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(question).toHaveText('Did the treatment itself do the harm?');
  await expect(question).toBeFocused();
  await expect(details).toContainText('You answered:');
  await expect(details).toContainText('If someone was hurt first, and then treated or taken to hospital');
  await expectAccessiblePage(page);
  await page.setViewportSize({ width: 1360, height: 900 });
  await expectAccessiblePage(page);
  await tap(details, 'No, they were hurt first and treated afterwards');
  await expect(question).toHaveText('Who was in control of the place?');
  await tap(details, 'We were');
  await expect(question).toHaveText('All questions are answered');
  await expect(result.getByRole('heading')).toHaveText('Looks reportable: taken to hospital, regulation 5(a)');
  await details.getByText('Your answers', { exact: true }).click();
  await expect(details).not.toContainText('Did the treatment itself do the harm?');

  // Nobody hurt after all: the answer about the hospital contradicts that. The keyboard does the same.
  await details.getByRole('button', { name: 'What happened to this person?' }).click();
  await details.getByLabel('Nobody was hurt', { exact: true }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(question).toHaveText('Was it an accident after all?');
  await expect(details).toContainText('Were they taken from the site to a hospital? Yes, for treatment');
  await expect(result.getByRole('heading')).toHaveText('Not decided yet');
  await details.getByLabel('Yes, or perhaps: ask me again what happened', { exact: true }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(question).toHaveText('What happened to this person?');
  await tap(details, 'An accident');
  await expect(question).toHaveText('All questions are answered');
  await details.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(details.getByText('Assessment saved')).toBeVisible();
  const saved = await admin(api.getAssessment, { params: { id } });
  expect(saved).toMatchObject({ answers: { exclusions: ['none'] }, result: { outcome: 'reportable' } });
});

test('after the rules were corrected, a manager answers the changed question again and checks a doubtful decision', {
  tag: '@once',
}, async ({ page, signInAs, server }) => {
  const admin = await server.as('Admin');
  const guest = { class: 'public', harm: 'accident', died: 'no', hospital: 'treatment' };
  const event = { workHow: 'no', workKit: 'no', workPlace: 'yes', occurrence: ['none'], gas: 'no', gasFitting: 'no' };
  /** A report that was assessed by the first version of the rules. */
  const assess = async (decision: 'notReportable' | null) => {
    const { id, number } = await admin(api.submitAccident, { body: await newReport(admin) });
    const answers = { ...event, road: 'no', exclusions: ['none'], control: 'us', hospitalPremises: 'no' };
    await admin(api.saveAssessment, { params: { id }, body: { version: 0, answers, people: [guest] } });
    const stored = { ...answers, exclusions: ['medical'] };
    const asOf = getToday();
    await server.db
      .updateTable('assessments')
      .set({
        rule_set: 'riddor-2013-v1',
        answers: JSON.stringify({ asOf, event: stored, people: [guest] }),
        result: JSON.stringify({
          outcome: 'notReportable',
          regulation: [],
          open: [],
          deadline: null,
          responsible: [],
          record: false,
          duties: [],
          openDuties: [],
          records: [],
          settled: [],
          watchFrom: null,
          openQuestions: [],
        }),
        ...(decision && {
          decision,
          decided_by_name: 'huw',
          decided_at: '2026-01-01T09:00:00.000Z',
          settled: 1,
          to_review: 1,
        }),
      })
      .where('report_id', '=', id)
      .execute();
    return { id, number };
  };
  const open = await assess(null);
  const decided = await assess('notReportable');
  await signInAs(page, 'Health & Safety Manager');
  const details = page.getByRole('dialog', { name: 'Report Details' });
  const question = details.getByRole('heading', { level: 3 }).first();
  const openTab = async ({ id }: { id: string }) => {
    await page.goto(`/get-reports?report=${id}`);
    await details.getByRole('tab', { name: 'RIDDOR' }).click();
  };
  await openTab(open);
  await expect(
    details.getByRole('alert').filter({ hasText: 'The rules were corrected. Answer the changed question' }),
  ).toBeVisible();
  await expect(question).toHaveText(/^Was the harm caused by treatment/);
  await expect(details.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await expect(details.getByRole('button', { name: 'Save Decision' })).toHaveCount(0);
  await expectAccessiblePage(page);
  await tap(details, 'No');
  await details.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(details.getByText('Assessment saved. Now decide.')).toBeVisible();
  expect(await admin(api.getAssessment, { params: { id: open.id } })).toMatchObject({
    ruleSet: 'riddor-2013-v2',
    result: { outcome: 'reportable' },
  });

  await page.goto('/overview');
  await page.getByRole('link', { name: /RIDDOR decisions? to check again/ }).click();
  await expect(page.getByRole('button', { name: new RegExp(decided.number) })).toBeVisible();
  await openTab(decided);
  await expect(details.getByRole('alert').filter({ hasText: 'Check this decision again.' })).toBeVisible();
  await expect(details.getByText('Not reportable, decided by')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectAccessiblePage(page);
  await details.getByRole('button', { name: 'Answer Again' }).click();
  await expect(question).toHaveText(/^Was the harm caused by treatment/);
  await details.getByRole('button', { name: 'Close', exact: true }).click();
  await openTab(decided);
  await details.getByRole('button', { name: 'Save Decision' }).click();
  await expect(details.getByText('Check this decision again.')).toHaveCount(0);
  expect(await admin(api.getAssessment, { params: { id: decided.id } })).toMatchObject({
    ruleSet: 'riddor-2013-v1',
    decision: 'notReportable',
    answers: { exclusions: ['medical'] },
    reviewBy: null,
  });
});

test('answers that were only tried are discarded, and the saved decision is there again', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  const reviewer = await signInAs(page, 'Health & Safety Manager', 'Lido Beach');
  const { id } = await reviewer(api.submitAccident, {
    body: await newReport(reviewer, { date: '2026-03-02' }),
  });
  const params = { id };
  const people = [{ class: 'employee', absence: 'spells', spells: [{ from: '2026-03-03', back: null }] }];
  await reviewer(api.saveAssessment, { params, body: { version: 0, answers: {}, people } as never });
  await reviewer(api.decideAssessment, { params, body: { version: 1, decision: 'reportable', reason: 'As HSE said' } });
  await page.goto(`/get-reports?report=${id}`);
  const details = page.getByRole('dialog', { name: 'Report Details' });
  await details.getByRole('tab', { name: 'RIDDOR' }).click();
  const decision = details.getByText(/^Reportable, decided by/);
  await expect(decision).toBeVisible();
  // What is past says so before anything is saved.
  await expect(details.getByRole('complementary', { name: 'Result' })).toContainText(/overdue by \d+ days/);
  await details.getByRole('button', { name: 'Show All Answers' }).click();
  await details.getByRole('button', { name: 'Which days could they not do their own job?' }).click();
  await details.getByLabel('First day off work').fill('2026-03-01');
  await expect(details.getByText('The first day off work is before the accident')).toBeVisible();
  await expect(decision).toBeHidden();
  await details.getByRole('button', { name: 'Use the Saved Answers' }).click();
  await expect(decision).toBeVisible();
  await expect(details.getByLabel('First day off work')).toHaveValue('2026-03-03');
});
