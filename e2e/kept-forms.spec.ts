// What is typed into any form stays when the tab is killed, and secrets are stored nowhere.
import type { Locator, Page } from '@playwright/test';
import { findFreePort } from '../src/server/testing/free-port.ts';
import { clientSettings } from '../src/server/testing/oidc-provider.ts';
import { startTestServer, type TestClient, type TestServer } from '../src/server/testing/server.ts';
import { showScreen } from './interactions.ts';
import { type AnyForm, createForms, getKeep, type KeptForm, keptForms, secretForms } from './kept-forms.ts';
import { test as base, expect } from './server.ts';
import { plant, readEverythingStored, readStored } from './stored-input.ts';

type Everything = { server: TestServer; admin: TestClient; forms: Record<AnyForm, KeptForm> };

/** A server with email and single sign-on, where browsers have passkeys, with the records of all forms and no others. */
const test = base.extend<Record<never, never>, Everything>({
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
  admin: [async ({ server }, use) => use(await server.as('Admin')), { scope: 'worker' }],
  forms: [async ({ server, admin }, use) => use(await createForms(server, admin)), { scope: 'worker' }],
});
test.use({ allowedConsoleErrors: /status of 40[13]/, isTranslated: false });

/** Typed as each secret. A PIN has at most 12 digits. */
const secret = '918273645';

test.beforeEach(async ({ context, server, admin }) => {
  const [name = '', value = ''] = admin.cookie.split('=');
  await context.addCookies([{ name, value, url: server.url }]);
});

/** The label of a required field has a star. */
const toLabel = (label: string | RegExp) =>
  typeof label === 'string' ? new RegExp(`^${label.replace(/[?()]/g, '\\$&')}( \\*)?$`) : label;

/** Opens a form, and returns its fields. */
async function openForm(page: Page, { press = [], dialog, field }: KeptForm) {
  const scope = dialog ? page.getByRole('dialog', { name: dialog }) : page;
  const [first, ...others] = [field]
    .flat()
    .map((label) => scope.getByLabel(toLabel(label)).filter({ visible: true }).first()) as [Locator, ...Locator[]];
  for (const step of press) {
    if (typeof step === 'function') await step(page);
    else await openUnless(first, findOpener(page, step).first());
  }
  await first.waitFor();
  return [first, ...others] as const;
}

/** A form with input may open by itself, and only once its file is there. Then what opens it cannot be pressed. */
const openUnless = (field: Locator, opener: Locator) =>
  expect(async () => {
    await opener.or(field).first().waitFor({ timeout: 1000 });
    if (!(await field.isVisible())) await opener.click({ timeout: 1000 });
  }).toPass();

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

const testCount = 4;
// Forms beside each other in the list may be on one screen, so they are in different tests.
for (let part = 0; part < testCount; part++) {
  const group = keptForms.filter((_, index) => index % testCount === part);
  test(`what is typed into a form is there again after the tab was killed, encrypted or for the device: ${group.join(', ')}`, {
    tag: '@once',
  }, async ({ page, context, forms }) => {
    const getText = (name: AnyForm) => forms[name].value ?? `Ellie ${name}`;
    const [sealed, onDevice] = (['sealed', 'device'] as const).map((keep) =>
      group.filter((name) => getKeep(name) === keep),
    ) as [AnyForm[], AnyForm[]];
    /** Returns the forms whose text can be read in the browser. */
    const listReadable = async (tab: Page, names: AnyForm[]) => {
      const stored = await readEverythingStored(tab);
      return names.filter((name) => !forms[name].value && stored.includes(getText(name)));
    };

    await page.goto('/nowhere');
    for (const name of group)
      await test.step(`type ${name}`, async () => {
        await showScreen(page, forms[name].path);
        const [field] = await openForm(page, forms[name]);
        await enter(field, getText(name));
      });
    await expect.poll(() => readStored(page, 'sealed/')).toHaveLength(sealed.length);
    await expect.poll(() => listReadable(page, onDevice)).toEqual(onDevice);
    // Kills it: no event tells the page.
    await page.close();

    const tab = await context.newPage();
    await tab.goto('/nowhere');
    for (const name of group)
      await test.step(`read ${name}`, async () => {
        await showScreen(tab, forms[name].path);
        const [field] = await openForm(tab, forms[name]);
        await expectEntered(field, getText(name));
      });
    expect(await listReadable(tab, sealed)).toEqual([]);
  });
}

test('passwords, PINs and codes that are typed into any form are stored nowhere', { tag: '@once' }, async ({
  page,
  forms,
}) => {
  const planted: string[] = [];
  for (const name of secretForms)
    await test.step(name, async () => {
      await page.goto(forms[name].path);
      for (const field of await openForm(page, forms[name])) {
        await field.fill(secret);
        await expect(field).toHaveValue(secret);
      }
      if (planted.length === 0) planted.push(...(await plant(page)));
      const stored = await readEverythingStored(page);
      expect(planted.filter((text) => !stored.includes(text))).toEqual([]);
      expect(stored).not.toContain(secret);
      expect([...(await readStored(page, 'draft/')), ...(await readStored(page, 'sealed/'))]).toEqual([]);
    });
});
