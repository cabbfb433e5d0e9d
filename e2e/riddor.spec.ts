import { api } from '#shared/api.ts';
import { newReport } from '../src/server/testing/factories.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

/** What a manager answers for an employee who broke a wrist on a wet floor; other questions are not asked. */
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
  'Did a registered gas engineer find a dangerous gas fitting?': 'No',
  'Was a moving vehicle on a road part of it?': 'No',
  'Was it either of these?': 'Neither',
  'Were they a member of the armed forces on duty?': 'No',
  'Who was in control of the place?': 'We were',
};

test('a manager takes a report from its details to "Reported"', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const admin = await server.as('Admin');
  const { number } = await admin(api.submitAccident, { body: await newReport(admin, { employmentStatus: 'Staff' }) });
  await signInAs(page, 'Health & Safety Manager');
  await page.goto(`/get-reports?view=list&accident=${number}`);
  const row = page.getByRole('button', { name: new RegExp(number) });
  await row.click();
  const details = page.getByRole('dialog', { name: 'Report Details' });
  await details.getByRole('tab', { name: 'RIDDOR' }).click();
  await expect(details).toContainText('Nothing is sent to anyone by itself.');
  await expect(details.getByRole('heading', { name: 'Not decided yet' })).toBeVisible();
  await details.getByRole('button', { name: 'What does this mean?' }).click();
  await expect(details).toContainText('Agency staff belong to the firm that pays them.');
  await expectAccessiblePage(page);

  const question = details.getByRole('heading', { level: 3 }).first();
  await expect(question).toHaveText('Were they at work, and for whom?');
  for (let step = 0; step < Object.keys(answers).length; step += 1) {
    const asked = (await question.textContent()) ?? '';
    if (!(asked in answers)) break;
    await details.getByLabel(answers[asked] ?? '', { exact: true }).check();
    await details.getByRole('button', { name: 'Next' }).click();
    await expect(question).not.toHaveText(asked);
  }
  await expect(question).toHaveText('All questions are answered');
  await expect(
    details.getByRole('heading', { name: /Looks reportable: specified injury, regulation 4\(1\)/ }),
  ).toBeVisible();
  await details.getByRole('button', { name: 'Back' }).click();
  await details.getByRole('button', { name: 'Next' }).click();

  // Closing by mistake loses no answer.
  await details.getByRole('button', { name: 'Close', exact: true }).click();
  await row.click();
  await details.getByRole('tab', { name: 'RIDDOR' }).click();
  await expect(question).toHaveText('All questions are answered');
  await details.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(details.getByText('Assessment saved')).toBeVisible();
  await details.getByRole('button', { name: 'Decide', exact: true }).click();
  await expect(details.getByText(/Reportable, decided by/)).toBeVisible();
  await expect(details.getByRole('link', { name: "Open HSE's form" })).toHaveAttribute('href', /hse\.gov\.uk/);
  await details.getByRole('button', { name: 'I have reported it' }).click();
  await details.getByRole('button', { name: 'Record it' }).click();
  await expect(details.getByText("Enter HSE's reference, or in the note why there is none")).toBeVisible();
  await details.getByLabel("HSE's reference").fill('HSE-77');
  await expectAccessiblePage(page);
  await details.getByRole('button', { name: 'Record it' }).click();
  await expect(details.getByText(/^Reported .*HSE ref HSE-77$/).first()).toBeVisible();
});

test('a decision against the result needs a reason, which is shown with it', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const admin = await server.as('Admin');
  const { id, number } = await admin(api.submitAccident, { body: await newReport(admin) });
  await admin(api.saveAssessment, { params: { id }, body: { version: 0, answers: {}, people: [{}] } });
  await page.setViewportSize({ width: 320, height: 640 });
  await signInAs(page, 'Health & Safety Manager');
  await page.goto(`/get-reports?view=list&accident=${number}`);
  const row = page.getByRole('button', { name: new RegExp(number) });
  await row.click();
  const details = page.getByRole('dialog', { name: 'Report Details' });
  await details.getByRole('tab', { name: 'RIDDOR' }).click();
  await details.getByLabel('Not reportable', { exact: true }).check();
  await details.getByRole('button', { name: 'Decide', exact: true }).click();
  await expect(details.getByText(/Give a reason of at least 10 characters/)).toBeVisible();
  await details.getByRole('textbox', { name: 'Reason' }).fill('Only a bruise, says the doctor');
  await details.getByRole('button', { name: 'Decide', exact: true }).click();
  await expect(details.getByText(/Not reportable, decided by/)).toBeVisible();
  await expectAccessiblePage(page);
  await expect(details.getByText('Not reportable: Only a bruise, says the doctor').first()).toBeVisible();
});
