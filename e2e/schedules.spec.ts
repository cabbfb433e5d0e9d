import { api } from '#shared/api.ts';
import { addDays } from '#shared/calendar.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import { showDueCheck } from './checklists.ts';
import { expectDiscardQuestion } from './interactions.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

// Two managers change the same schedule, and one request fails; the browser logs both.
test.use({ allowedConsoleErrors: /status of 409|ERR_FAILED/ });

const sections = [
  { title: 'Water clear?', type: 'checkbox' as const, required: false, onFail: { when: 'notTicked' as const } },
];

test('a manager schedules a check, and staff complete it before their facility opens', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const title = `Pool check ${test.info().project.name}`;
  const manager = await signInAs(page, 'Health & Safety Manager', 'Lido Beach');
  const { id: checklistId } = await manager(api.createChecklist, { body: { title, sections } });

  const closed = addDays(getToday(), 1);
  const closures = [{ id: 'x', park: 'Lido Beach', starts_on: closed, ends_on: closed }];
  await page.route(`**${api.listClosures.path}`, (route) => route.fulfill({ json: closures }));
  await page.goto('/admin?tab=checklists');
  await page.getByRole('button', { name: `Schedule ${title}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule' });
  await expect(dialog.getByLabel('Lido Beach')).toBeChecked();
  await dialog.getByLabel('Lido Beach').uncheck();
  await dialog.getByRole('button', { name: 'Save Schedule' }).click();
  await expect(dialog.getByText('Choose at least one park')).toBeVisible();
  await dialog.getByLabel('Lido Beach').check();
  await dialog.getByLabel('From', { exact: true }).fill('00:00');
  await dialog.getByLabel('To', { exact: true }).fill('00:00');
  await dialog.getByLabel('A place named').fill('Pool');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Pool is chosen at 1 park, 1 added.')).toBeVisible();
  await dialog.getByLabel('The place may open only after this check has passed').check();
  // A second time of the day, which must not overlap the first.
  const [first, second] = [1, 2].map((number) => dialog.getByRole('group', { name: `Time ${number}` }));
  await dialog.getByRole('button', { name: 'Add Time' }).click();
  await second?.getByLabel('From').fill('12:00');
  await second?.getByLabel('To').fill('13:00');
  await dialog.getByRole('button', { name: 'Save Schedule' }).click();
  await expect(dialog.getByText('These times overlap')).toBeVisible();
  await first?.getByLabel('From').fill('08:00');
  await first?.getByLabel('To').fill('09:00');
  const next = dialog.getByText(
    /^Next checks: .*08:00 to 09:00; .*12:00 to 13:00\. The place stays closed until its first check has passed\.$/,
  );
  await expect(next).toBeVisible();
  await expect(next).not.toContainText(formatDay(closed));
  await page.unroute(`**${api.listClosures.path}`);
  await expectAccessiblePage(page);
  await dialog.getByRole('button', { name: 'Save Schedule' }).click();
  await dialog
    .getByRole('button', { name: 'Edit Every day, 08:00 to 09:00 and 12:00 to 13:00; before opening Pool' })
    .click();
  await dialog.getByRole('button', { name: 'Remove Time 2' }).click();
  await dialog.getByLabel('From', { exact: true }).fill('00:00');
  await dialog.getByLabel('To', { exact: true }).fill('00:00');
  await dialog.getByRole('button', { name: 'Save Schedule' }).click();
  await expect(dialog.getByText('Every day, 00:00 to 00:00; before opening Pool')).toBeVisible();

  // Another manager changes the same schedule: fields that only one of them changed are kept.
  const [saved] = (await manager(api.listSchedules)).filter(({ checklist_id }) => checklist_id === checklistId);
  if (!saved) throw new Error('the schedule is not listed');
  const { id, checklist_id: _, checklist_title: __, ...fields } = saved;
  const change = (changes: object) =>
    manager(api.updateSchedule, { params: { id }, body: { ...fields, ...changes, version: undefined } as never });
  await dialog.getByRole('button', { name: /^Edit/ }).click();
  await change({ season_from: '01-01', season_to: '12-31' });
  await dialog.getByLabel('Last day (optional)').fill('2098-12-31');
  await dialog.getByLabel('All parks').focus();
  await expectDiscardQuestion(page, dialog, dialog.getByLabel('Last day (optional)'));
  await change({ season_from: '01-01', season_to: '12-31', ends_on: '2099-12-31' });
  await dialog.getByRole('button', { name: 'Save Schedule' }).click();
  const conflict = page.getByRole('dialog', { name: 'Someone else has changed this schedule' });
  await expect(conflict.getByRole('definition')).toHaveText(['Yours31/12/2098', 'Theirs31/12/2099']);
  await expectAccessiblePage(page);
  await conflict.getByRole('button', { name: 'Keep Mine' }).click();
  await expect(
    dialog.getByText(/^Every day, 00:00 to 00:00,.* until 31\/12\/2098; before opening Pool$/),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).first().click();

  await page.getByRole('button', { name: 'Closed Days' }).click();
  const closedDaysDialog = page.getByRole('dialog', { name: 'Closed Days' });
  await closedDaysDialog.getByLabel('First day closed').fill('2099-12-25');
  await closedDaysDialog.getByRole('button', { name: 'Add Closed Days' }).click();
  await expect(closedDaysDialog.getByText('25/12/2099')).toBeVisible();
  await expectAccessiblePage(page);
  const remove = closedDaysDialog.getByRole('button', { name: 'Remove Lido Beach, 25/12/2099' });
  const removalDialog = page.getByRole('dialog', { name: 'Remove these closed days?' });
  await remove.click();
  await page.keyboard.press('Escape');
  await expect(removalDialog).toHaveCount(0);
  await page.route('**/park-closures/*', (route) => route.abort(), { times: 1 });
  await remove.click();
  await removalDialog.getByRole('button', { name: 'Remove' }).click();
  await expect(removalDialog.getByText('The closed days could not be removed')).toBeVisible();
  await expect(page.getByText('This could not be saved')).toHaveCount(0);
  await expectAccessiblePage(page);
  await removalDialog.getByRole('button', { name: 'Remove' }).click();
  await expect(closedDaysDialog.getByText('No closed days are planned.')).toBeVisible();

  await page.goto('about:blank'); // the manager's page sends no more requests
  const staff = await signInAs(page, 'None', 'Lido Beach');
  await page.goto('/checklists');
  const due = page.getByRole('region', { name: 'Due now' });
  const ready = page.getByRole('region', { name: 'Ready to open' });
  await expect(due).toContainText(title);
  await expect(due).toContainText('Due until');
  // Staff of one park see their checks at once; what is ready is one line that opens.
  await expect(due.getByText('Due until')).toBeVisible();
  await expect(ready.getByText('Not ready: check due since')).toBeHidden();
  await ready.getByText('Pool not ready').click();
  await expect(ready.getByText('Not ready: check due since')).toBeVisible();
  await expect(ready).toContainText('Not ready: check due since');
  await expectAccessiblePage(page);
  await ready.getByRole('button', { name: `Fill In ${title} for Pool, Lido Beach` }).click();
  await expect(page.getByRole('checkbox', { name: 'Water clear?' })).toBeVisible();
  await page.goto('/checklists');
  await due.getByRole('button', { name: `Fill In ${title}` }).click();
  await expect(page.getByRole('checkbox', { name: 'Water clear?' })).toBeVisible();
  await staff(api.submitChecklist, { body: { checklistId, data: { '0': true } } });
  await page.goto('/checklists');
  await expect(due).toContainText(`by ${staff.username}`);
  await expect(due).toContainText('Nothing more is due today');
  await ready.getByText('Pool ready').click();
  await expect(ready).toContainText(/Checked \d\d:\d\d, valid until/);

  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', document.querySelector('article')?.innerText ?? '');
  });
  await page.emulateMedia({ media: 'print' });
  await ready.getByRole('button', { name: 'Print Door Sign for Pool, Lido Beach' }).dispatchEvent('click');
  const sign = page.getByRole('article');
  await expect(sign).toContainText(/Pool\s*Checked \d\d:\d\d, valid until/);
  await expect(sign).not.toContainText('Ready');
  await page.emulateMedia({ media: 'screen' });

  // A check missed long ago stays listed, with the reason that a reviewer enters.
  const { schedule_id, opens_at } = await server.db
    .selectFrom('due_checks')
    .select(['schedule_id', 'opens_at'])
    .where('checklist_id', '=', checklistId)
    .orderBy('opens_at')
    .executeTakeFirstOrThrow();
  await server.db
    .updateTable('due_checks')
    .set({ submission_id: null, filled_in_at: null, closes_at: opens_at })
    .where('schedule_id', '=', schedule_id)
    .where('opens_at', '=', opens_at)
    .execute();
  await page.goto('about:blank'); // the staff's page sends no more requests
  await signInAs(page, 'Health & Safety Manager');
  // For all parks, what is due is one line too, grouped by park.
  await page.goto('/checklists');
  await expect(due.getByText(/\d missed/)).toBeVisible();
  await expect(due.getByText(title)).toBeHidden();
  await due.getByText(/\d missed/).click();
  await showDueCheck(due, due.getByRole('button', { name: `Fill In ${title}, Pool, Lido Beach` }));
  await expect(due.getByRole('heading', { name: 'Lido Beach' })).toBeVisible();
  await expectAccessiblePage(page);
  await page.goto('/checks?state=missed&park=Lido+Beach');
  await page.getByRole('button', { name: `Add Reason: ${title}, Pool, Lido Beach` }).click();
  const reasonDialog = page.getByRole('dialog', { name: 'Why was this check missed?' });
  await reasonDialog.getByLabel('Reason').fill('Park closed, storm');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep Editing' }).click();
  await reasonDialog.getByRole('button', { name: 'Save Reason' }).click();
  await expect(page.getByText('Reason: Park closed, storm')).toBeVisible();
  await expectAccessiblePage(page);
});

test('a manager chooses how often a check is due, and staff see what is coming', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  const title = `Boiler service ${test.info().project.name}`;
  const manager = await signInAs(page, 'Health & Safety Manager', 'Kingsley');
  await manager(api.createChecklist, { body: { title, sections } });
  await page.goto('/admin?tab=checklists');
  await page.getByRole('button', { name: `Schedule ${title}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule' });
  const save = dialog.getByRole('button', { name: 'Save Schedule' });
  await dialog.getByLabel('From', { exact: true }).fill('08:00');
  await dialog.getByLabel('To', { exact: true }).fill('18:00');
  await dialog.getByLabel('How often').selectOption('Every week');
  await dialog.getByLabel('Every how many weeks').fill('53');
  await save.click();
  await expect(dialog.getByText('Enter at most 52 weeks')).toBeVisible();
  await dialog.getByLabel('Every how many weeks').fill('2');
  await save.click();
  await expect(dialog.getByText('Choose the day')).toBeVisible();
  await dialog.getByLabel('Monday').check();
  await dialog.getByLabel('Thursday').check();
  await expectAccessiblePage(page);
  await save.click();
  await expect(dialog.getByText('Every 2 weeks on Monday and Thursday, 08:00 to 18:00')).toBeVisible();
  await dialog.getByRole('button', { name: 'Add Schedule' }).click();
  await dialog.getByLabel('From', { exact: true }).fill('09:00');
  await dialog.getByLabel('To', { exact: true }).fill('17:00');
  await dialog.getByLabel('How often').selectOption('Every year');
  await dialog.getByLabel('Month', { exact: true }).selectOption('February');
  await dialog.getByLabel('Day of the month').selectOption('29');
  await expectAccessiblePage(page);
  await save.click();
  await expect(dialog.getByText('29 Feb every year, 09:00 to 17:00')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).first().click();
  await page.getByRole('link', { name: 'Coming Checks' }).click();
  await expect(page.getByText('09:00 to 17:00')).toHaveCount(1);

  await page.goto('about:blank'); // the manager's page sends no more requests
  await signInAs(page, 'None', 'Kingsley');
  await page.goto('/coming-checks');
  // Two days of every second week in 4 weeks, without what has opened today, and one day of the year.
  await expect(page.getByText('09:00 to 17:00')).toHaveCount(1);
  expect([3, 4]).toContain(await page.getByText('08:00 to 18:00').count());
  await expect(page.getByText(/only what is due less often is listed/)).toBeVisible();
  await expectAccessiblePage(page);
});
