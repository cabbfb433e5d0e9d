// Forms that are open in two tabs of one browser.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../src/server/testing/factories.ts';
import type { TestClient } from '../src/server/testing/server.ts';
import { photo } from './interactions.ts';
import { outboxLink } from './outbox.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

// Failed requests are intended; the browser logs each.
test.use({ allowedConsoleErrors: /Failed to load resource/ });

type Form = {
  /** Returns how a page opens the form. */
  prepare: (admin: TestClient, name: string) => Promise<(page: Page) => Promise<void>>;
  field: string;
  submit: string;
  sent: RegExp;
  /** Shown if the server has another submission from the same draft. */
  failed: string;
  /** Returns the texts in the field that have arrived. */
  list: (admin: TestClient, name: string) => Promise<unknown[]>;
};

const park = 'Mounds';
const forms: Record<string, Form> = {
  checklist: {
    async prepare(admin, title) {
      await admin(api.createChecklist, {
        body: { title, sections: [{ title: 'Where', type: 'text', required: true }] },
      });
      return async (page) => {
        await page.goto('/checklists');
        await page.getByRole('button', { name: new RegExp(title) }).click();
      };
    },
    field: 'Where',
    submit: 'Submit Checklist',
    sent: /^Checklist submitted successfully!/,
    failed: 'Failed to submit checklist. Please try again.',
    list: async (admin, title) =>
      Promise.all(
        (await admin(api.listSubmissions, { query: { title, limit: 9 } })).map(
          async ({ id }) => (await admin(api.getSubmission, { params: { id } })).data[0],
        ),
      ),
  },
  'new audit': {
    async prepare(admin, name) {
      const folder = await newFolder(admin, { name, park });
      return async (page) => void (await page.goto(`/create-audit/${folder}`));
    },
    field: 'Title',
    submit: 'Create Audit',
    sent: /^Audit created successfully!/,
    failed: 'Failed to create audit. Please try again.',
    list: async (admin, name) =>
      (await admin(api.listOpenAudits, { query: { park } }))
        .filter(({ folder_name }) => folder_name === name)
        .map(({ title }) => title),
  },
  hazard: {
    prepare: async () => async (page) => void (await page.goto('/report-hazard')),
    field: 'Where is it?',
    submit: 'Send',
    sent: /^Hazard reported\./,
    failed: 'The hazard could not be sent.',
    list: async (admin) =>
      (await admin(api.listOpenAudits, { query: { park, source: 'hazard' } })).map(({ title }) => title),
  },
};

for (const [what, { prepare, field, submit, sent, failed, list }] of Object.entries(forms)) {
  const fill = async (page: Page, text: string) => {
    if (what === 'hazard') await page.getByRole('button', { name: 'Fire', pressed: false }).click();
    await page.getByLabel(field).fill(text);
  };
  const send = (page: Page) => page.getByRole('button', { name: submit, exact: true }).click();

  test(`a ${what} is open in one tab at a time, and another one can continue it and sends it once`, {
    tag: '@once',
  }, async ({ page, context, server, signInAs }) => {
    const admin = await server.as('Admin');
    const open = await prepare(admin, `One tab: ${what}`);
    const before = await list(admin, `One tab: ${what}`);
    await signInAs(page, 'None', park);
    await open(page);
    await fill(page, 'Boiler');
    const other = await context.newPage();
    await open(other);
    await expect(other.getByText('This form is open in another tab.')).toBeVisible();
    await expectAccessiblePage(other);
    await other.getByRole('button', { name: 'Continue in this tab' }).click();
    await expect(other.getByLabel(field)).toHaveValue('Boiler');
    await expect(page.getByText('This form is open in another tab.')).toBeVisible();
    await expect(page.getByLabel(field)).toBeHidden();
    await send(other);
    await expect(other.getByText(sent)).toBeVisible();
    expect((await list(admin, `One tab: ${what}`)).length - before.length).toBe(1);
  });

  test(`without locks, a ${what} that two tabs send from one draft is sent once, and the other input is kept`, {
    tag: '@once',
  }, async ({ page, context, server, signInAs }) => {
    await context.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }));
    const admin = await server.as('Admin');
    const open = await prepare(admin, `Two tabs: ${what}`);
    const before = await list(admin, `Two tabs: ${what}`);
    const countNew = async () => (await list(admin, `Two tabs: ${what}`)).length - before.length;
    await signInAs(page, 'None', park);
    await open(page);
    await fill(page, 'First');
    const other = await context.newPage();
    await open(other);
    await expect(other.getByLabel(field)).toHaveValue('First');
    await send(page);
    await expect(page.getByText(sent)).toBeVisible();
    await other.getByLabel(field).fill('Second');
    await send(other);
    await expect(other.getByRole('alert').getByText(failed)).toBeVisible();
    await expect(other.getByText('What you entered here may be different and was not sent.')).toBeVisible();
    await expect(other.getByRole('status').getByText(sent)).toBeHidden();
    await expectAccessiblePage(other);
    expect(await countNew()).toBe(1);
    await other.reload();
    await expect(outboxLink(other)).toHaveText('Needs attention: 1');
    await expect(other.getByLabel(field)).toHaveValue('Second');
    await send(other);
    await expect(other.getByText(sent)).toBeVisible();
    expect(await countNew()).toBe(2);
  });
}

test('two tabs with one open audit overwrite nothing of each other, and none says that someone else changed it', async ({
  page,
  context,
  signInAs,
}) => {
  const user = await signInAs(page, 'None', park);
  const folder = await newFolder(user, { name: 'Two tabs', park });
  const { id } = await user(api.createAudit, { body: newAudit(folder, { title: 'Boiler house' }) });
  const other = await context.newPage();
  const tabs = [page, other];
  const edit = (tab: Page) => tab.getByRole('button', { name: 'Edit', exact: true }).click();
  const panel = (tab: Page) => tab.getByText('This form is open in another tab.');
  const takeOver = (tab: Page) => tab.getByRole('button', { name: 'Continue in this tab' }).click();
  const save = async (tab: Page) => {
    await tab.getByRole('button', { name: 'Save Changes' }).click();
    await expect(tab.getByRole('log').last()).toHaveText('Audit updated successfully');
  };
  for (const tab of tabs) {
    await tab.goto(`/audit/${id}`);
    await expect(tab.getByRole('button', { name: 'Complete Audit' })).toBeVisible();
  }
  await edit(page);
  await page.getByLabel('Location').fill('Typed in the first tab');
  await page.getByLabel('Choose Photos').setInputFiles(photo('phone-jolla.jpg'));
  await expect(page.getByText('1 photo added')).toBeVisible();

  // The other tab shows the audit until it would change it.
  await expect(other.getByRole('heading', { name: 'Boiler house' })).toBeVisible();
  await expect(panel(other)).toBeHidden();
  await edit(other);
  await expect(panel(other)).toBeVisible();
  await expect(other.getByRole('heading', { name: 'Boiler house' })).toBeVisible();
  await expect(other.getByText(newAudit('').description)).toBeVisible();
  await expect(other.getByRole('button', { name: /^(Edit|Update|Save Changes|Complete Audit)$/ })).toHaveCount(0);
  await expectAccessiblePage(other);
  await other.reload();
  await expect(panel(other)).toBeVisible();
  await takeOver(other);
  await expect(other.getByLabel('Location')).toHaveValue('Typed in the first tab');
  await expect(other.getByText('1 photo added')).toBeVisible();
  await expect(panel(page)).toBeVisible();
  await other.getByLabel('Description').fill('Typed in the second tab');
  await save(other);

  // What the other tab saved is shown before it can be changed here.
  const heldRequest = Promise.withResolvers<void>();
  await page.route(`**/api/audits/${id}`, async (route) => {
    await heldRequest.promise;
    await route.continue();
  });
  await takeOver(page);
  await expect(page.getByText('Loading audit details...')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0);
  heldRequest.resolve();
  await expect(page.getByText('Typed in the second tab')).toBeVisible();
  await expect(page.getByText('Attachments (1)')).toBeVisible();
  await edit(page);
  await page.getByLabel('Location').fill('Typed in the first tab again');
  await save(page);
  for (const tab of tabs) await expect(tab.getByText('Someone else')).toBeHidden();
  const { location, description, media_files } = (await user(api.getAudit, { params: { id } })).data;
  expect([location, description]).toEqual(['Typed in the first tab again', 'Typed in the second tab']);
  expect(media_files).toHaveLength(1);

  // What was left unsaved is there after the tab was killed, and can be completed in the other one.
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Location').fill('Completed');
  await page.close();
  await expect(other.getByLabel('Location')).toHaveValue('Completed');
  await other.getByRole('button', { name: 'Complete Audit' }).click();
  await other.getByRole('button', { name: 'Confirm' }).click();
  await expect(other.getByText('This audit has been marked as completed')).toBeVisible();
  expect((await user(api.getAudit, { params: { id } })).data.location).toBe('Completed');
});
