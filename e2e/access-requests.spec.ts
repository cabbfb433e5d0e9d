// The choices of an access request: saved once, kept while they are sent, and compared with those
// of another Admin.
import type { Page } from '@playwright/test';
import { api } from '#shared/api.ts';
import { newAudit, newFolder, newReport } from '../src/server/testing/factories.ts';
import type { TestClient } from '../src/server/testing/server.ts';
import { expect, expectAccessiblePage, test } from './server.ts';

// The browser logs rejected requests and those without a response.
test.use({ allowedConsoleErrors: /Failed to load resource/ });

/** Opens an access request that finds two reports. */
async function openRequest(page: Page, admin: TestClient, name: string) {
  const numbers: string[] = [];
  for (let report = 0; report < 2; report += 1)
    numbers.push((await admin(api.submitAccident, { body: await newReport(admin, { name }) })).number);
  const { id } = await admin(api.createAccessRequest, { body: { name, spellings: [], receivedOn: '2026-01-31' } });
  let collections = 0;
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().endsWith(`/access-requests/${id}`)) collections += 1;
  });
  await page.goto(`/admin/records?tab=access&request=${id}`);
  await expect(page.getByText('Records that name them: 2')).toBeVisible();
  const [first = '', second = ''] = numbers;
  const choose = (number: string, choice: string) =>
    page.getByRole('listitem').filter({ hasText: number }).getByLabel(choice, { exact: true });
  return {
    id,
    first,
    second,
    path: `**/access-requests/${id}`,
    choose,
    countCollections: () => collections,
    save: page.getByRole('button', { name: 'Save', exact: true }),
    readChoices: async () => {
      const { hits, choices } = await admin(api.getAccessRequest, { params: { id } });
      return numbers.map((number) => {
        const hit = hits.find(({ label }) => label.includes(number));
        return choices.find((choice) => choice.id === hit?.id)?.choice;
      });
    },
  };
}

const reasonLabel = 'Why two more months are needed';

test('choices and a reason entered while an access request is saved are kept, and the records are not collected again', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const admin = await signInAs(page, 'Admin');
  const request = await openRequest(page, admin, 'Angharad Cadwgan');
  const { promise: untilChanged, resolve: respond } = Promise.withResolvers<void>();
  await page.route(request.path, async (route) => {
    if (route.request().method() === 'PUT') await untilChanged;
    await route.continue();
  });
  await request.choose(request.first, 'Send').check();
  await request.save.click();
  await request.choose(request.second, 'Send redacted').check();
  await page.getByLabel(reasonLabel).fill('There is much of it');
  respond();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(request.choose(request.second, 'Send redacted')).toBeChecked();
  await expect(page.getByLabel(reasonLabel)).toHaveValue('There is much of it');
  expect(await request.readChoices()).toEqual(['send', undefined]);

  // What is not saved is still there after another tab of Records was opened.
  await page.getByRole('tab', { name: 'Holds' }).click();
  await expect(request.save).toHaveCount(0);
  await page.getByRole('tab', { name: 'Access Requests' }).click();
  await page.getByRole('button', { name: 'Open the request of Angharad Cadwgan' }).click();
  await expect(request.choose(request.second, 'Send redacted')).toBeChecked();
  await page.getByRole('button', { name: 'Extend the Deadline' }).click();
  await expect(page.getByText('Extended by two months: There is much of it.')).toBeVisible();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  expect(await request.readChoices()).toEqual(['send', 'redact']);
  expect(request.countCollections()).toBe(2);
});

test("an Admin's choices are kept beside those of another Admin who saved first", { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const admin = await signInAs(page, 'Admin');
  const other = await server.as('Admin');
  const request = await openRequest(page, admin, 'Gwenllian Trahaearn');
  const params = { id: request.id };
  await request.choose(request.first, 'Send').check();
  const { hits } = await other(api.getAccessRequest, { params });
  const hit = hits.find(({ label }) => label.includes(request.second))?.id ?? '';
  await other(api.saveAccessChoices, { params, body: { version: 1, choices: [{ id: hit, choice: 'send' }] } });
  await request.save.click();
  const conflict = page.getByText('Someone else has changed this access request.');
  await expect(conflict).toHaveCSS('color', 'rgb(171, 44, 32)');
  await expect(request.choose(request.first, 'Send')).toBeChecked();
  await expect(request.choose(request.second, 'Send')).toBeChecked();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Save My Choices Anyway' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use the Saved Choices' })).toHaveCount(0);
  expect(await request.readChoices()).toEqual(['send', 'send']);
});

test("an access request whose save had no response is not taken for someone else's change", {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const admin = await signInAs(page, 'Admin');
  const request = await openRequest(page, admin, 'Tangwystl Owain');
  let isLost = true;
  await page.route(request.path, async (route) => {
    if (route.request().method() !== 'PUT' || !isLost) return route.continue();
    await route.fetch();
    await route.abort();
  });
  const failed = page.getByText('This could not be saved. Please try again.');
  await request.choose(request.first, 'Send').check();
  await request.save.click();
  await expect(failed).toBeVisible();
  isLost = false;
  await request.save.click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  isLost = true;
  await page.getByRole('button', { name: 'Pause the Deadline' }).click();
  await expect(failed).toBeVisible();
  isLost = false;
  await page.getByRole('button', { name: 'Pause the Deadline' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Resume the Deadline' })).toBeVisible();
  expect(await request.readChoices()).toEqual(['send', undefined]);
});

test('the records of an access request are collected again after a name was erased in them', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const admin = await signInAs(page, 'Admin');
  const name = 'Rhiannon Ednyfed';
  await admin(api.createAudit, { body: newAudit(await newFolder(admin), { title: `Ask ${name}` }) });
  const { id } = await admin(api.createAccessRequest, { body: { name, spellings: [], receivedOn: '2026-01-31' } });
  await page.goto(`/admin/records?tab=access&request=${id}`);
  const record = page.getByRole('radiogroup', { name: `Ask ${name}` });
  await expect(record).toBeVisible();
  await page.getByText('Erase the name in records that are kept').click();
  await page.getByRole('checkbox', { name: /Ask/ }).check();
  await page.getByLabel('Reason').selectOption('The person asked for their name to be erased');
  await page.getByLabel(/^Type how many you ticked/).fill('1');
  await page.getByRole('button', { name: 'Erase the Name in 1 Record' }).click();
  await expect(page.getByText('The name was erased in 1 record.')).toBeVisible();
  await expect(record).toHaveCount(0);
});

test('an access request with 25 records fits three screens, and is decided with a few clicks', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const admin = await signInAs(page, 'Admin');
  const name = 'Nest Rhydderch';
  // The person's entries in the activity log count as one more record.
  const folder = await newFolder(admin);
  const create = async (count: number, title: string, assignee: string) => {
    for (let at = 0; at < count; at += 1)
      await admin(api.createAudit, { body: newAudit(folder, { title: `${title} ${at}`, assignee }) });
  };
  await create(13, 'Gate', name);
  await create(8, `Ask ${name}`, 'Huw Parry');
  await create(3, 'Ask Nest Rhydderck', 'Huw Parry');
  const { id } = await admin(api.createAccessRequest, { body: { name, spellings: [], receivedOn: '2026-01-31' } });
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.goto(`/admin/records?tab=access&request=${id}`);
  await expect(page.getByText('Records that name them: 22')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(3 * 900);

  await page.getByRole('button', { name: 'Send All' }).click();
  await expect(page.getByText('9 records left to decide about.')).toBeVisible();
  await page.getByText('Black out another person in all records').click();
  await page.getByRole('button', { name: 'Huw Parry', exact: true }).click();
  await expect(page.getByText('Huw Parry: blacked out in 8 records.')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  const { hits, choices } = await admin(api.getAccessRequest, { params: { id } });
  const possible = hits.filter(({ isPossible }) => isPossible).map((hit) => hit.id);
  expect(possible).toHaveLength(3);
  expect(choices.filter((choice) => possible.includes(choice.id))).toEqual([]);
  expect(choices.filter(({ choice }) => choice === 'send')).toHaveLength(13);
  const redacted = choices.filter(({ choice }) => choice === 'redact');
  expect(redacted.map(({ texts }) => texts)).toEqual(Array.from({ length: 8 }, () => ['Huw Parry']));
});
