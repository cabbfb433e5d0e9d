// A reviewer empties the inbox of messages from guests.
import { api } from '#shared/api.ts';
import { uploadPhoto } from '../src/server/testing/factories.ts';
import { giveToGuests, sendMessage } from '../src/server/testing/messages.ts';
import { expectDraftText } from './drafts.ts';
import { tabTo } from './interactions.ts';
import { fillInReport, submit } from './report-form.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

test('a reviewer deals with five messages of guests in at most 25 taps, not counting the report form', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const park = 'Point of Ayr';
  const manager = await signInAs(page, 'Health & Safety Manager', park);
  const path = await uploadPhoto(manager);
  await giveToGuests(server.db, [path]);
  const [audit, hurt] = ['A step is loose https://park.example', 'A man fell'];
  await sendMessage(server, { kind: 'Broken or loose', words: audit, photos: [{ path }] }, { park });
  await sendMessage(server, { kind: 'Trip or slip', words: hurt, hurt: 'hurt' }, { park });
  for (const words of ['one', 'two', 'three']) await sendMessage(server, { words, kind: 'Other' }, { park });
  let taps = 0;
  const tap = async (role: 'link' | 'button' | 'checkbox', name: string | RegExp, at = page.locator('body')) => {
    taps += 1;
    await at.getByRole(role, { name }).first().click();
  };
  await page.goto('/messages');
  await expect(page.getByText('Unread')).toHaveCount(5);
  await expectAccessiblePage(page);

  await tap('link', 'Broken or loose: Lido');
  await expect(page.getByText(audit)).toBeVisible();
  await expect(page.getByRole('link', { name: 'https' })).toHaveCount(0);
  await expect(page.locator('main img')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Remove Photo' })).toHaveCount(0);
  await tap('button', 'Show Photos (1)');
  await tap('button', 'Create Audit');
  await tap('checkbox', /Photo 1/);
  await expectAccessiblePage(page);
  await tap('button', 'Create Audit', page.getByRole('form', { name: 'Create Audit' }));

  await tap('link', 'Trip or slip: Lido');
  await tap('link', 'Report an Accident');
  await expect(page.getByLabel('Details')).toHaveValue(hurt);
  await expect(page.getByLabel('Location or plot')).toHaveValue('Lido');
  await expect(page.getByText('Submitting this report closes a message from a guest.')).toBeVisible();
  await fillInReport(page, { Park: park });
  await submit(page).click();
  await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();

  await page.goto('/messages');
  for (const left of [2, 1, 0]) {
    await tap('link', 'Other: Lido');
    await tap('button', 'Close Message');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Sentence for the sender')).toBeFocused();
    await page.keyboard.type('Thank you. It is put right.');
    await tap('button', 'Close Message', dialog);
    await expect(page.getByText('Unread')).toHaveCount(left);
  }
  await expect(page.getByText('There are no open messages.')).toBeVisible();
  expect(taps).toBeLessThanOrEqual(25);
  const closed = await manager(api.listMessages, { query: { closed: '1', park } });
  expect(closed.map(({ audit, report, answer }) => [Boolean(audit), Boolean(report), answer]).toSorted()).toEqual([
    ...Array.from({ length: 3 }, () => [false, false, 'Thank you. It is put right.']),
    [false, true, 'We have made a report of it.'],
    [true, false, ''],
  ]);
});

test('a message does not replace an unfinished report, which closes the message only if the reviewer links them', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  const park = 'Tyddyn Goronwy';
  const manager = await signInAs(page, 'Health & Safety Manager', park);
  const { id } = await sendMessage(server, { words: 'A woman fell', hurt: 'hurt' }, { park });
  await page.goto('/reporting');
  await page.getByLabel('Details').fill('Of yesterday');
  await expectDraftText(page, 'Of yesterday');
  await page.goto(`/messages/${id}`);
  await page.getByRole('link', { name: 'Report an Accident' }).click();
  const offer = page.getByText('This form has an unfinished report.');
  await expect(offer).toBeVisible();
  await expect(page.getByLabel('Details')).toHaveValue('Of yesterday');
  await expect(page.getByLabel('Location or plot')).toHaveValue('');
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Link the Message' }).click();
  const linked = page.getByText('Submitting this report closes a message from a guest.');
  await expect(linked).toBeVisible();
  await page.getByRole('button', { name: 'Unlink the Message' }).click();
  await expect(offer).toBeVisible();
  await page.getByRole('button', { name: 'Link the Message' }).click();
  await expectDraftText(page, id);
  await page.reload();
  await expect(linked).toBeVisible();
  await fillInReport(page, { Park: park, Details: 'Of yesterday' });
  await submit(page).click();
  await expect(page.getByText('Accident report submitted successfully!')).toBeVisible();
  const [report] = await manager(api.listReports, { query: { park, limit: 1 } });
  expect(await manager(api.getMessage, { params: { id } })).toMatchObject({
    ...{ isOpen: false, report: { id: report?.id } },
  });
  await expect(offer).toBeHidden();
});

test('a message can be turned into an audit, and another closed, with the keyboard alone', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const park = 'Manor House';
  const manager = await signInAs(page, 'Health & Safety Manager', park);
  await sendMessage(server, { kind: 'Fire', words: 'Smoke' }, { park });
  await sendMessage(server, { kind: 'Other', words: 'Thank you' }, { park });
  const press = async (role: 'link' | 'button' | 'textbox', name: string, at = page.locator('body')) => {
    await tabTo(page, at.getByRole(role, { name, exact: true }), true);
    if (role !== 'textbox') await page.keyboard.press('Enter');
  };
  await page.goto('/messages');
  await press('link', 'Fire: Lido');
  await press('button', 'Create Audit');
  const form = page.getByRole('form', { name: 'Create Audit' });
  await press('textbox', 'Sentence for the sender (optional)', form);
  await page.keyboard.type('We look at it.');
  await press('button', 'Create Audit', form);
  await press('link', 'Other: Lido');
  await press('button', 'Close Message');
  const dialog = page.getByRole('dialog');
  await press('textbox', 'Reason (optional)', dialog);
  await page.keyboard.type('A compliment');
  await press('button', 'Close Message', dialog);
  await expect(page.getByText('There are no open messages.')).toBeVisible();
  await tabTo(page, page.locator('summary', { hasText: 'Closed, Latest First' }), true);
  await page.keyboard.press('Enter');
  await press('link', 'Fire: Lido');
  await expect(page.getByText('The sender reads: We look at it.')).toBeVisible();
  const closed = await manager(api.listMessages, { query: { closed: '1', park } });
  expect(closed.map(({ answer }) => answer).toSorted()).toEqual(['', 'We look at it.']);
});

test('200 silly messages are closed in few taps, and the one that matters stays in sight', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const park = 'Sunny Sands';
  const manager = await signInAs(page, 'Health & Safety Manager', park);
  const silly = { network: 'a', kind: 'Other' } as const;
  for (let at = 0; at < 200; at += 1)
    await sendMessage(server, { ...silly, words: `Silly ${at}` }, { park, place: 'Pool' });
  const drain = 'A child is caught in the drain';
  await sendMessage(server, { network: 'b', words: drain, hurt: 'hurt' }, { park, place: 'Pool' });
  await sendMessage(server, { network: 'c', words: 'A bruise', hurt: 'hurt' }, { park, place: 'Bar' });
  await page.goto('/messages');
  const rows = page.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(2)).toContainText('Pool: 200 messages in an hour');
  await expectAccessiblePage(page);

  let taps = 0;
  const tap = async (role: 'link' | 'button' | 'checkbox', name: string | RegExp, at = page.locator('body')) => {
    taps += 1;
    await at.getByRole(role, { name }).first().click();
  };
  const dialog = page.getByRole('dialog');
  await tap('link', 'Pool: 200 messages in an hour');
  await expect(page.getByText('Silly 0', { exact: true })).toBeVisible();
  for (const rest of [100, 0]) {
    if (rest === 100) await tap('button', 'Select');
    await tap('button', 'Choose All Shown');
    await expect(page.getByRole('status').filter({ hasText: '100 chosen.' })).toBeVisible();
    await tap('button', rest === 100 ? 'Junk' : 'Close');
    await expectAccessiblePage(page);
    await tap('button', rest === 100 ? 'Mark as Junk' : 'Close 100 Messages', dialog);
    await expect(page.getByRole('main').getByRole('checkbox')).toHaveCount(rest);
  }
  expect(taps).toBeLessThanOrEqual(10);

  // Someone who was hurt is no junk, and needs a reason.
  await page.goto('/messages');
  await expect(rows.filter({ hasText: drain })).toBeVisible();
  await page.getByRole('button', { name: 'Select' }).click();
  await page.getByRole('button', { name: 'Choose All Shown' }).click();
  await expect(page.getByRole('button', { name: 'Junk' })).toBeDisabled();
  await page.getByRole('checkbox', { name: drain }).uncheck();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await dialog.getByRole('button', { name: 'Close 1 Message' }).click();
  await expect(dialog.getByText('Someone was hurt: give a reason')).toBeVisible();
  await dialog.getByLabel(/^Reason: Bar/).fill('Treated at reception');
  await dialog.getByRole('button', { name: 'Close 1 Message' }).click();
  await expect(rows.filter({ hasText: 'A bruise' })).toHaveCount(0);
  await expect(page.getByText('1 message closed.')).toBeVisible();

  // Junk can be opened again.
  const junk = await manager(api.listMessages, { query: { closed: '1', park, page: 3 } });
  expect(junk.map(({ junk_until }) => junk_until !== null)).toEqual([true]);
  await page.goto(`/messages/${junk[0]?.id}`);
  await page.getByRole('button', { name: 'Open Again' }).click();
  await expect(page.getByRole('button', { name: 'Close Message' })).toBeVisible();
});

test('an investigation is started from a message', { tag: '@once' }, async ({ page, server, signInAs }) => {
  const park = 'Marian Resort';
  await signInAs(page, 'Health & Safety Manager', park);
  const { id } = await sendMessage(server, { kind: 'Trip or slip' }, { park });
  await page.goto(`/messages/${id}`);
  await page.getByRole('button', { name: 'Start Investigation' }).click();
  await expect(page.getByRole('heading', { name: /^Investigation INV-/ })).toBeVisible();
  const records = page.getByRole('region', { name: 'Records It Covers' });
  await records.getByRole('link', { name: /^Trip or slip: Lido/ }).click();
  await expect(page.getByText(/^Investigated: INV-/)).toBeVisible();
  await expectAccessiblePage(page);
});

test('the setting for messages of guests is shown only where guests can write', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'Health & Safety Manager', '');
  const setting = page.getByRole('rowheader', { name: 'A guest sends a message, or one is unread' });
  await page.goto('/notification-settings');
  await expect(setting).toBeVisible();
  await page.route('**/notification-settings', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/(name="guest-url" content=")[^"]*/, '$1');
    await route.fulfill({ response, body });
  });
  await page.reload();
  await expect(page.getByRole('rowheader', { name: 'A report is submitted' })).toBeVisible();
  await expect(setting).toBeHidden();
});
