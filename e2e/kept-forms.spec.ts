// What is typed into any form stays when the tab is killed, and secrets are stored nowhere.
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { findFreePort } from '../src/server/testing/free-port.ts';
import { clientSettings } from '../src/server/testing/oidc-provider.ts';
import { startTestServer, type TestServer } from '../src/server/testing/server.ts';
import { type FormName, formNames, type Keep } from '../src/web/formNames.ts';
import { createForms, type KeptForm } from './kept-forms.ts';
import { test as base, expect } from './server.ts';
import { plant, readEverythingStored, readStored } from './stored-input.ts';

/** A server with email and single sign-on, where browsers have passkeys, and without the records of other tests. */
const test = base.extend<Record<never, never>, { server: TestServer }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
    async ({}, use) => {
      const port = await findFreePort();
      const url = `http://localhost:${port}`;
      const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Parks <parks@example.com>' };
      const provider = { OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_LABEL: 'Example', ...clientSettings };
      const server = await startTestServer('sqlite', { ...mail, ...provider, PORT: `${port}`, PUBLIC_URL: url });
      await use({ ...server, url });
      await server.stop();
    },
    { scope: 'worker' },
  ],
});
test.use({ allowedConsoleErrors: /status of 40[13]/ });

/** Typed as each secret. A PIN has at most 12 digits. */
const secret = '918273645';

/** Where a form keeps its input. Those that have no name in the list keep drafts on the device. */
const getKeep = (form: string): Keep =>
  form in formNames ? (formNames[form as keyof typeof formNames] as () => FormName)().keep : 'device';

/** The label of a required field has a star. */
const toLabel = (label: string | RegExp) =>
  typeof label === 'string' ? new RegExp(`^${label.replace(/[?()]/g, '\\$&')}( \\*)?$`) : label;

/** Opens a form, and returns its fields. */
async function openForm(page: Page, { path, press = [], dialog, field }: KeptForm) {
  await page.goto(path);
  const scope = dialog ? page.getByRole('dialog', { name: dialog }) : page;
  const [first, ...others] = [field]
    .flat()
    .map((label) => scope.getByLabel(toLabel(label)).filter({ visible: true }).first()) as [Locator, ...Locator[]];
  for (const step of press) {
    if (typeof step === 'function') await step(page);
    else await findOpener(page, step).or(first).first().click();
  }
  await expect(first).toBeVisible();
  return [first, ...others] as const;
}

/** What opens a form, or what contains it, unless it is open already or behind a dialog. */
const findOpener = (page: Page, name: string | RegExp) =>
  page
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('tab', { name, exact: true }))
    .or(page.locator('summary', { hasText: name }))
    .and(page.locator(':not([aria-expanded="true"]):not([inert] *)'))
    .filter({ visible: true });

const readType = (field: Locator) => field.evaluate((element: HTMLInputElement) => element.type);

async function enter(field: Locator, value: string) {
  const type = await readType(field);
  if (type === 'radio') await field.check();
  else if (type === 'select-one') await field.selectOption(value);
  else await field.fill(value);
}

async function expectEntered(field: Locator, value: string) {
  if ((await readType(field)) === 'radio') await expect(field).toBeChecked();
  else await expect(field).toHaveValue(value);
}

async function inNewTab(context: BrowserContext, use: (tab: Page) => Promise<void>) {
  const tab = await context.newPage();
  await use(tab);
  // Kills it: no event tells the page.
  await tab.close();
}

async function expectKept(context: BrowserContext, form: KeptForm, keep: Keep, text: string) {
  await inNewTab(context, async (tab) => {
    const [field] = await openForm(tab, form);
    const before = (await readStored(tab, 'sealed/')).length;
    await enter(field, text);
    if (keep === 'device') await expect.poll(() => readEverythingStored(tab)).toContain(text);
    else await expect.poll(async () => (await readStored(tab, 'sealed/')).length).toBe(before + 1);
  });
  await inNewTab(context, async (tab) => {
    const [field] = await openForm(tab, form);
    await expectEntered(field, text);
  });
}

test('what is typed into any form is there again after the tab was killed, or is a secret and stored nowhere', {
  tag: '@once',
}, async ({ page, context, server, signInAs }) => {
  test.slow();
  const admin = await signInAs(page, 'Admin');
  await page.goto('/reporting');
  const unreadable = [secret];
  for (const [name, form] of Object.entries(await createForms(server, admin, context)))
    await test.step(name, async () => {
      const keep = getKeep(name);
      const text = form.value ?? `Ellie ${name}`;
      if (keep === 'sealed' && !form.value) unreadable.push(text);
      if (keep !== 'nothing') return expectKept(context, form, keep, text);
      // Stays open, so that anything would be stored by the end.
      for (const field of await openForm(await context.newPage(), form)) {
        await field.fill(secret);
        await expect(field).toHaveValue(secret);
      }
    });
  const planted = await plant(page);
  const stored = (await Promise.all(context.pages().map(readEverythingStored))).join();
  expect([...planted, 'Ellie verification'].filter((text) => !stored.includes(text))).toEqual([]);
  expect(unreadable.filter((text) => stored.includes(text))).toEqual([]);
});
