// A failed check creates an audit; its assignee is notified by every channel and completes it.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { photo } from '../src/server/testing/factories.ts';
import type { TestClient } from '../src/server/testing/server.ts';
import { waitForCachedScreens } from './installed-app.ts';
import { test } from './sending-server.ts';
import { expect, expectAccessiblePage } from './server.ts';

test.use({ serviceWorkers: 'allow' });

/** Maximum time from the submission to the assignee's notification, for each channel. */
const maxDelayMs = 10_000;

const desktopSize = { width: 1440, height: 900 };

test('a failed check creates an audit, whose assignee is notified and completes it, and the submission shows the completed audit', {
  tag: '@once',
}, async ({ page, browser, server, signInAs, mail, push }) => {
  test.slow();
  const title = 'Pool check';
  const question = 'pH of the water';
  const address = 'huw@example.com';
  const assignee = await server.as('None', 'Lido Beach');
  const admin = await server.as('Admin');
  const details = { full_name: 'Huw Parry', email: address };
  await admin(api.updateUserDetails, { params: { id: assignee.id }, body: details });
  // They are told of their new address.
  await assignee(api.readAllNotifications);
  await assignee(api.addPushSubscription, { body: push.subscribe('computer') });

  // A reviewer creates the checklist. Its audits are urgent, so quiet hours delay no message.
  const manager = await signInAs(page, 'Health & Safety Manager', 'Lido Beach');
  await page.goto('/admin?tab=checklists');
  await page.getByRole('button', { name: 'New Checklist' }).first().click();
  await page.getByLabel('Checklist title').fill(title);
  await page.getByLabel('Section title').fill(question);
  await page.getByLabel('The answer is a number').check();
  await page.getByLabel('Lowest').fill('7.2');
  await page.getByLabel('Highest').fill('7.6');
  await page.getByLabel('Failing answer').selectOption('A number out of range is failing');
  await page.getByLabel('Photo of the failure').selectOption('Required');
  await page.getByLabel('Create an audit').check();
  await page.getByLabel('Urgent', { exact: true }).check();
  // An audit that is due tomorrow is notified a second time.
  await page.getByLabel('Days until due').fill('5');
  await page.getByText('Who should complete it, by park').click();
  const picker = page.getByLabel('Lido Beach');
  await picker.fill('Nobody Here');
  await page.getByRole('button', { name: 'Create Checklist' }).click();
  await expect(picker).toHaveAccessibleDescription(/^Choose a user who sees Lido Beach/);
  await expect(picker).toHaveAttribute('aria-invalid', 'true');
  await picker.fill('Huw Parry');
  await expect(picker).toHaveAccessibleDescription(assignee.username);
  await expect(page.getByText('An audit will be created: urgent, due in 5 days')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Create Checklist' }).click();
  await expect(page.getByText('Checklist created successfully')).toBeVisible();

  // The assignee has the app open on a computer, with a simulated clock.
  const context = await browser.newContext({ viewport: desktopSize, isMobile: false, hasTouch: false });
  const desktopPage = await context.newPage();
  await signInWithCookie(desktopPage, assignee, server.url);
  await desktopPage.clock.install();
  await desktopPage.goto('/reporting');
  await expect(desktopPage.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible();

  // Another user at the park fills it in.
  await page.context().clearCookies();
  await signInAs(page, 'None', 'Lido Beach');
  await page.goto('/checklists');
  await page.getByRole('button', { name: title }).click();
  const number = page.getByRole('textbox', { name: question });
  await expect(page.getByText('7.2 to 7.6')).toBeVisible();
  // A number is judged when it is left.
  await number.pressSequentially('7');
  await expect(page.getByText('This answer is failing')).toBeHidden();
  await number.fill('8.1');
  await number.blur();
  await expect(page.getByText('An audit will be created: urgent, due in 5 days')).toBeVisible();
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(page.getByText('Say what is wrong')).toBeVisible();
  await expect(page.getByText('Add a photo', { exact: true })).toBeVisible();
  await expectAccessiblePage(page);
  // The note is stored even if the answer that needs it was given before the reload.
  await page.reload();
  await page.getByRole('button', { name: title }).click();
  await page.getByLabel('What is wrong?').fill('Too much acid');
  const strip = { name: 'strip.jpg', mimeType: 'image/jpeg', buffer: await photo() };
  await page.getByLabel(`Add Photo: ${question}`).setInputFiles(strip);
  await expect(page.getByRole('button', { name: 'Remove photo 1, strip.jpg' })).toBeVisible();
  // A reload loses nothing.
  await page.reload();
  await page.getByRole('button', { name: title }).click();
  await expect(page.getByLabel('What is wrong?')).toHaveValue('Too much acid');
  // A photo that the browser has deleted is reported.
  await deleteDraftFiles(page);
  await page.reload();
  await page.getByRole('button', { name: title }).click();
  await expect(page.getByText('strip.jpg is no longer on this device')).toBeVisible();
  await page.getByRole('button', { name: 'Remove photo 1, strip.jpg' }).click();
  await page.getByLabel(`Add Photo: ${question}`).setInputFiles(strip);
  await expect(page.getByRole('img', { name: '1, strip.jpg' })).toBeVisible();
  const size = page.viewportSize();
  await page.setViewportSize(desktopSize);
  await expectAccessiblePage(page);
  if (size) await page.setViewportSize(size);
  await page.evaluate(() => {
    window.print = () => undefined;
  });
  await page.getByRole('button', { name: 'Print Checklist' }).click();
  const printout = page.locator('body > article');
  await expect(printout).toContainText('8.1Failing: Too much acid');
  await expect(printout).toContainText(`${question}7.2 to 7.6`);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect(page.getByRole('button', { name: 'Remove photo 1, strip.jpg' })).toBeVisible();
  await page.getByRole('button', { name: 'Submit Checklist' }).click();
  await expect(page.getByText('Checklist submitted successfully!')).toBeVisible();

  // The assignee is notified in the app, by email and by push within 10 seconds, as recorded.
  const [audit] = await assignee(api.listOpenAudits, { query: { mine: 'yes' } });
  expect(audit).toMatchObject({ title: question, folder_name: 'From checks', media_files: [{ name: 'strip.jpg' }] });
  const id = audit?.id ?? '';
  const link = `/audit/${id}`;
  const { source } = (await manager(api.getAudit, { params: { id } })).data;
  const { submitted_at } = await manager(api.getSubmission, { params: { id: source?.id ?? '' } });
  const getDelayMs = (at: string | null | undefined) => Date.parse(at ?? '') - Date.parse(submitted_at);
  const deliveries = () => assignee(api.listAuditDeliveries, { params: { id } });
  await expect
    .poll(async () => (await deliveries()).map(({ to, channel, state }) => `${channel} to ${to}: ${state}`).sort())
    .toEqual([`email to ${assignee.username}: sent`, `push to ${assignee.username}: sent`]);
  for (const { at } of await deliveries()) expect(getDelayMs(at)).toBeLessThan(maxDelayMs);
  const [notification] = await assignee(api.listNotifications);
  expect(notification).toMatchObject({ text: `Urgent audit assigned to you: ${question}`, link });
  expect(getDelayMs(notification?.created_at)).toBeLessThan(maxDelayMs);
  const body = 'Urgent audit at Lido Beach assigned to you';
  const email = mail.received.find(({ subject }) => subject === `Holiday Parks: ${body}`);
  expect(email?.to).toContain(address);
  for (const part of [body, `${server.url}${link}`]) expect(email?.text).toContain(part);
  expect(push.problems).toEqual([]);
  const [pushMessage] = push.received;
  expect(pushMessage).toMatchObject({ device: 'computer', urgency: 'high', message: { body, link } });
  for (const privateText of ['acid', question]) expect(JSON.stringify([email, pushMessage])).not.toContain(privateText);

  // The number of notifications is refetched every 8 seconds.
  await desktopPage.clock.runFor(8000);
  const bell = desktopPage.getByRole('link', { name: 'Notifications, 1 unread' });
  await expect(bell).toBeVisible();
  await waitForCachedScreens(desktopPage);
  const shownNotification = await deliverToWorker(desktopPage, pushMessage?.message ?? {});
  expect(shownNotification).toMatchObject({ title: 'Holiday Parks', body, data: { link } });
  await bell.click();
  const row = desktopPage.getByRole('main').getByRole('listitem').filter({ hasText: question });
  await expect(row.getByText(/^Emailed to Huw Parry at .* \(accepted by the mail server\)$/)).toBeVisible();
  await expect(row.getByText(/^Sent to a device of Huw Parry at .* \(accepted by the push service\)$/)).toBeVisible();
  await expectAccessiblePage(desktopPage);
  await desktopPage.getByRole('link', { name: `Urgent audit assigned to you: ${question}` }).click();
  await expect(desktopPage.getByRole('link', { name: 'Notifications', exact: true })).toBeVisible();

  // The assignee opens the audit in their list, adds a note with a photo, and completes it.
  await desktopPage.goto('/audits');
  await desktopPage.getByRole('link', { name: 'Assigned to Me' }).click();
  await expect(desktopPage.getByText('Folder: From checks, Lido Beach')).toBeVisible();
  await expectAccessiblePage(desktopPage);
  await desktopPage.getByRole('link', { name: `View Details of ${question}` }).click();
  await expect(desktopPage.getByRole('heading', { name: 'Assignee' }).locator('+ p')).toHaveText('Huw Parry');
  await desktopPage.getByRole('button', { name: 'Write a Note' }).click();
  await desktopPage.getByRole('button', { name: 'Add Note' }).click();
  await expect(desktopPage.getByText('Write a note or add a photo')).toBeVisible();
  await desktopPage.getByLabel('Note', { exact: true }).fill('Flushed the dosing line');
  const line = { name: 'line.jpg', mimeType: 'image/jpeg', buffer: await photo() };
  await desktopPage.getByRole('group', { name: 'Photos of the note' }).getByLabel('Choose Photos').setInputFiles(line);
  await expect(desktopPage.getByRole('button', { name: 'Remove photo 1 of 1, line.jpg' })).toBeVisible();
  await desktopPage.getByRole('button', { name: 'Add Note' }).click();
  await expect(desktopPage.getByText('Flushed the dosing line')).toBeVisible();
  await expect(desktopPage.getByRole('button', { name: /View photo 1 of 1, line/ })).toBeVisible();
  await desktopPage.getByRole('button', { name: 'Complete Audit' }).click();
  await desktopPage.getByRole('button', { name: 'Confirm' }).click();
  await expect(desktopPage.getByText('This audit has been marked as completed')).toBeVisible();
  await expectAccessiblePage(desktopPage);
  await context.close();

  // The submission shows that the audit is completed.
  await page.context().clearCookies();
  await signInWithCookie(page, manager, server.url);
  await page.goto('/admin?tab=submissions&failing=yes');
  await expect(page.getByText('1 failing')).toBeVisible();
  const failing = (await manager(api.listNotifications)).find(({ kind }) => kind === 'failingAnswers');
  await page.goto(failing?.link ?? '');
  const dialog = page.getByRole('dialog', { name: 'Submission Details' });
  await expect(dialog.getByText('Too much acid')).toBeVisible();
  await expect(dialog.getByText('Completed by Huw Parry')).toBeVisible();
  await expectAccessiblePage(page);
});

async function signInWithCookie(page: Page, { cookie }: TestClient, url: string) {
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
}

async function deleteDraftFiles(page: Page) {
  await page.evaluate(async () => {
    const opening = indexedDB.open('drafts');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const transaction = opening.result.transaction('drafts', 'readwrite');
    transaction.objectStore('drafts').delete(IDBKeyRange.bound('draft/file/', 'draft/file0'));
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    opening.result.close();
  });
}

/**
 * Delivers a decrypted push message to the page's service worker. Returns the notification that the
 * worker requests, because a headless browser displays none.
 */
async function deliverToWorker(page: Page, message: object) {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('There is no service worker');
  await worker.evaluate(() => {
    const scope = globalThis as never as {
      registration: Record<string, unknown>;
      requestedNotification: Promise<object>;
    };
    scope.requestedNotification = new Promise((resolve) => {
      scope.registration.showNotification = async (title: string, options: object) => resolve({ title, ...options });
    });
  });
  const browser = await page.context().newCDPSession(page);
  const registrationDone = new Promise<string>((resolve) => {
    browser.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [found] = registrations.filter(({ isDeleted }) => !isDeleted);
      if (found) resolve(found.registrationId);
    });
  });
  await browser.send('ServiceWorker.enable');
  const { origin } = new URL(page.url());
  const data = JSON.stringify(message);
  await browser.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registrationDone, data });
  const requestedNotification = await worker.evaluate(
    () => (globalThis as never as { requestedNotification: Promise<object> }).requestedNotification,
  );
  await browser.detach();
  return requestedNotification;
}
