// Forms that are open in two tabs of one browser.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newFolder } from '../src/server/testing/factories.ts';
import type { TestClient } from '../src/server/testing/server.ts';
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
