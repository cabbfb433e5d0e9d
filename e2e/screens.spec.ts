// What holds on every screen: roles that change, printing, and fields with errors.
import { api } from '#shared/api.ts';
import { newAudit, newFolder } from '../src/server/testing/factories.ts';
import { expect, test } from './server.ts';

test.use({ allowedConsoleErrors: /status of 40[13]|You do not have access to this/ });

test('a user whose role was taken away is sent to Reporting at the next tap', { tag: '@once' }, async ({
  page,
  signInAs,
  server,
}) => {
  const admin = await server.as('Admin');
  const { username } = await signInAs(page, 'Health & Safety Manager');
  await page.goto('/get-reports');
  await expect(page.getByRole('heading', { name: 'Reports', level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  // Another request of the screen may end in the same way before the tap, which then has no target.
  const tap = await page.getByRole('button', { name: 'List View' }).elementHandle();
  await admin(api.assignRole, { body: { username, role: 'None', park: 'Lido Beach' } });
  await tap?.evaluate((button: HTMLElement) => button.click());
  await expect(page).toHaveURL(/\/reporting$/);
});

test('a dark screen is printed in light colours', { tag: '@once' }, async ({ page, signInAs }) => {
  await signInAs(page, 'None');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/checklists');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toBeVisible();
  const getBrightness = () =>
    heading.evaluate((element) => Number(/\d+/.exec(getComputedStyle(element).color)?.[0] ?? Number.NaN));
  expect(await getBrightness()).toBeGreaterThan(150);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect.poll(getBrightness).toBeLessThan(60);
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  await expect.poll(getBrightness).toBeGreaterThan(150);
});

test('a blank title comes into view although it had the focus when the audit was completed', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  const staff = await signInAs(page, 'None', 'Lido Beach');
  const folder = await newFolder(staff);
  const { id } = await staff(api.createAudit, { body: newAudit(folder) });
  await page.goto(`/audit/${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const title = page.getByLabel('Title');
  await title.fill('');
  await expect(title).toBeFocused();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(title).not.toBeInViewport();
  // A tap that does not move the focus, as on an iPhone.
  await page.getByRole('button', { name: 'Complete Audit' }).dispatchEvent('click');
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Confirm' });
  if (await confirm.isVisible()) await confirm.click();
  await expect(title).toHaveAccessibleDescription(/Title is required/);
  await expect(title).toBeInViewport();
});
