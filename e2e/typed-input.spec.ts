// What is typed into forms that send a request at once is for its user only, in one tab at a time.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newAudit, newFolder, newReport } from '../src/server/testing/factories.ts';
import type { TestClient } from '../src/server/testing/server.ts';
import { expect, test } from './server.ts';
import { readStored as readAllStored } from './stored-input.ts';

const text = 'Ellie ran through the open gate';

type Form = { path: string; button?: string; field: string | RegExp };

async function createForms(client: TestClient): Promise<[Form, ...Form[]]> {
  const report = await client(api.submitAccident, { body: await newReport(client) });
  const investigation = await client(api.createInvestigation, { body: { thing: 'report', id: report.id } });
  const audit = await client(api.createAudit, { body: newAudit(await newFolder(client)) });
  return [
    { path: `/investigations/${investigation.id}`, field: 'What was learnt' },
    { path: `/audit/${audit.id}`, button: 'Write a Note', field: 'Note' },
    { path: '/lessons/new', field: /^What happened/ },
  ];
}

const readStored = (page: Page) => readAllStored(page, 'sealed/');

/** Opens a form. A form with input is open from the start. */
async function openField(page: Page, { path, button, field }: Form) {
  await page.goto(path);
  const input = page.getByLabel(field, { exact: true });
  const opener = button ? page.getByRole('button', { name: button }) : undefined;
  if (opener) {
    await expect(opener.or(input).or(page.getByText('This form is open in another tab.'))).toBeVisible();
    if (await opener.isVisible()) await opener.click();
  }
  return input;
}

test('what was typed is for its user only, and is deleted once it is saved', { tag: '@once' }, async ({
  page,
  context,
  signInAs,
  server,
}) => {
  const manager = await signInAs(page, 'Health & Safety Manager', '');
  const [form] = await createForms(manager);
  await (await openField(page, form)).fill(text);
  await expect.poll(async () => (await readStored(page)).length).toBe(1);

  const asUser = async (client: TestClient) => {
    await context.clearCookies();
    const [name = '', value = ''] = client.cookie.split('=');
    await context.addCookies([{ name, value, url: server.url }]);
  };
  await asUser(await server.as('Admin'));
  await expect(await openField(page, form)).toHaveValue('');
  await asUser(await server.createSession(manager.id, manager.username));
  const input = await openField(page, form);
  await expect(input).toHaveValue(text);
  await page.getByRole('region', { name: 'What Happened' }).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('region', { name: 'What Happened' }).getByText('Saved', { exact: true })).toBeVisible();
  await expect.poll(async () => (await readStored(page)).length).toBe(0);
});

test('a form whose input another tab has says so, takes it over and gets it when that tab is closed', {
  tag: '@once',
}, async ({ page, context, signInAs }) => {
  const manager = await signInAs(page, 'Health & Safety Manager', '');
  const notice = (tab: Page) => tab.getByText('This form is open in another tab.');
  for (const form of await createForms(manager)) {
    const [first, second] = [await context.newPage(), await context.newPage()];
    await (await openField(first, form)).fill(text);
    await openField(second, form);
    await expect(notice(second)).toBeVisible();
    await second.getByRole('button', { name: 'Continue in this tab' }).click();
    await expect(second.getByLabel(form.field, { exact: true })).toHaveValue(text);
    await expect(notice(first)).toBeVisible();
    const before = await readStored(second);
    await second.getByLabel(form.field, { exact: true }).fill(`${text} twice`);
    await expect.poll(() => readStored(second)).not.toEqual(before);
    await second.close();
    await first.bringToFront();
    await expect(first.getByLabel(form.field, { exact: true })).toHaveValue(`${text} twice`);
    await first.close();
  }
});
