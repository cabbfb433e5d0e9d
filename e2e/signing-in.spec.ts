import { api } from '#shared/api.ts';
import { expectVisibleWithin } from './clock.ts';
import { expectDiscardQuestion, openMenu } from './interactions.ts';
import { expect, expectAccessiblePage, openReporting, password, privacyNotice, signIn, test } from './server.ts';

test('the login screen signs a user in, explains errors, and links to the privacy notice as report forms do', async ({
  page,
  server,
}) => {
  const person = await server.as('None');
  const notice = page.getByRole('link', { name: 'Privacy notice' });
  await page.goto('/');
  await page.waitForURL('**/login');
  await expect(notice).toHaveAttribute('href', privacyNotice);
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Login' }).click();
  await expect(page.getByText('Username is required')).toBeVisible();
  await expect(page.getByLabel('Username')).toBeFocused();
  await page.keyboard.press('Tab');
  const secret = page.getByLabel('Password', { exact: true });
  await expect(secret).toBeFocused();
  await expect(secret).toHaveAttribute('aria-invalid', 'true');
  await expect(page.locator('.mantine-PasswordInput-input')).toHaveCSS('outline-style', 'solid');
  await expectAccessiblePage(page);
  await signIn(page, person.username, 'not the password');
  await expect(page.getByText('Invalid credentials')).toBeVisible();
  await expect(secret).toHaveValue('');
  await signIn(page, person.username);
  await page.waitForURL('**/reporting');
  await page.getByRole('banner').waitFor();
  await expect(notice).toHaveAttribute('href', privacyNotice);
  await page.goto('/login');
  await page.waitForURL('**/reporting');
  await page.goto('/');
  await page.waitForURL('**/reporting');
});

test.describe('without a response to a sign-in', () => {
  test.use({ allowedConsoleErrors: /status of (401|503)|Failed to load resource/ });

  test('a password that may be right is not called wrong, and is cleared', { tag: '@once' }, async ({
    page,
    server,
  }) => {
    const person = await server.as('None');
    const secret = page.getByLabel('Password', { exact: true });
    await page.goto('/login');
    await page.route('**/api/login', (route) => route.fulfill({ status: 503, body: 'busy' }));
    await signIn(page, person.username);
    await expect(page.getByText('Invalid credentials')).toBeVisible();
    await expect(
      page.getByText('The server has a problem: your password may be right. Try again in a minute.'),
    ).toBeVisible();
    await expect(secret).toHaveValue('');
    await page.unrouteAll();
    await page.route('**/api/login', (route) => route.abort());
    await signIn(page, person.username);
    await expect(page.getByText('There is no connection. Try again when you are back online.')).toBeVisible();
    await expect(secret).toHaveValue('');
    await page.unrouteAll();
    await signIn(page, person.username);
    await page.waitForURL('**/reporting');
  });
});

test("the page first requested opens after sign-in if the user's role allows it", { tag: '@once' }, async ({
  page,
  server,
}) => {
  const [staff, manager] = [await server.as('None'), await server.as('Health & Safety Manager')];
  const message = page.getByText('You must be an admin to log in to this page');
  await page.goto('/incidentreporting');
  await page.waitForURL('**/login');
  await expect(message).toBeHidden();
  await signIn(page, staff.username);
  await page.waitForURL('**/incidentreporting');
  await page.goto('/get-reports');
  await page.waitForURL('**/reporting');

  await page.context().clearCookies();
  await page.goto('/get-reports?view=list');
  await page.waitForURL('**/login');
  await expect(message).toBeVisible();
  await signIn(page, staff.username);
  await page.waitForURL('**/reporting');

  await page.context().clearCookies();
  await page.goto('/get-reports?view=list');
  await page.waitForURL('**/login');
  await signIn(page, manager.username);
  await page.waitForURL('**/get-reports?view=list');
});

test("the navigation bar shows and opens the screens that the user's role allows", async ({ page, signInAs }, {
  project,
}) => {
  await signInAs(page, 'None');
  await openReporting(page);
  await openMenu(page);
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(links).toHaveText(['Reporting', 'Checklists', 'Audits']);
  await expectAccessiblePage(page);
  await page.context().clearCookies();
  await signInAs(page, 'Admin');
  await openReporting(page);
  await openMenu(page);
  await expect(links).toHaveText(['Reporting', 'Reports', 'Checklists', 'Audits', 'Admin']);
  await links.getByText('Reports', { exact: true }).click();
  await page.waitForURL('**/get-reports');
  await expect(page).toHaveTitle(/^Reports/);
  if (project.name === 'phone') await expect(links.first()).toBeHidden();
});

test('the navigation menu fits into a window of little height and closes on a click outside', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await page.setViewportSize({ width: 740, height: 360 });
  await signInAs(page, 'Admin');
  await openReporting(page);
  const first = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reporting' });
  await openMenu(page);
  await expect(first).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.mouse.click(20, 100);
  await expect(first).toBeHidden();
});

test('the user menu shows the account and closes on Escape, Tab or a click outside', async ({ page, signInAs }) => {
  const { username } = await signInAs(page, 'None', 'Lido Beach');
  await openReporting(page);
  await openMenu(page);
  const name = page.getByRole('button', { name: username });
  const accountDetails = page.getByText('Park staff, Lido Beach');
  await name.press('Enter');
  await expect(accountDetails).toBeVisible();
  await expectAccessiblePage(page);
  await name.press('Tab');
  await expect(page.getByRole('button', { name: 'Change Password' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Two-Factor Sign-In' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Notification Settings' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Where You Are Signed In' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(accountDetails).toBeHidden();
  await name.press('Enter');
  await page.getByRole('banner').click({ position: { x: 5, y: 5 } });
  await expect(accountDetails).toBeHidden();
  await name.press('Enter');
  await page.keyboard.press('Escape');
  await expect(accountDetails).toBeHidden();
});

test('an unknown URL shows a not-found page', { tag: '@once' }, async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page.getByText('404 - Page Not Found')).toBeVisible();
  await expectAccessiblePage(page);
  await page.getByRole('link', { name: 'Go to Login' }).click();
  await page.waitForURL('**/login');
  await expect(page.getByRole('navigation')).toHaveCount(0);
});

test('Logout ends the session in every tab', { tag: '@once' }, async ({ page, context, signInAs }) => {
  await signInAs(page, 'None');
  await openReporting(page);
  const other = await context.newPage();
  await other.goto('/reporting');
  await expect(other.getByRole('heading', { name: 'Reporting', exact: true })).toBeVisible();
  await openMenu(page);
  await page.getByRole('button', { name: 'Logout' }).click();
  await page.waitForURL('**/login');
  await other.waitForURL('**/login');
  await page.goto('/reporting');
  await page.waitForURL('**/login');
});

test('the login screen recognises a session even if local storage is empty or blocked', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await signInAs(page, 'None');
  await openReporting(page);
  await page.evaluate(() => localStorage.clear());
  await page.goto('/login');
  await page.waitForURL('**/reporting');
  await page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('blocked', 'SecurityError');
      },
    }),
  );
  await page.goto('/login');
  await page.waitForURL('**/reporting');
});

test('users change their own password', { tag: '@once' }, async ({ page, server, signInAs }) => {
  const person = await signInAs(page, 'None');
  await openReporting(page);
  await openMenu(page);
  await page.getByRole('button', { name: person.username }).click();
  await page.getByRole('button', { name: 'Change Password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Password' });
  await expect(dialog).toBeVisible();
  await expectAccessiblePage(page);
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByLabel('New password').fill('short');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/at least 8 characters/i).first()).toBeVisible();
  await dialog.getByLabel('New password').fill('a better one, 2026');
  await expectDiscardQuestion(page, dialog, dialog.getByLabel('New password'));
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await page.context().clearCookies();
  await page.goto('/login');
  await signIn(page, person.username, 'a better one, 2026');
  await page.waitForURL('**/reporting');
  await expect(server.signIn(person.username)).rejects.toThrow();
});

test('users see where they are signed in, and sign out elsewhere with their password', { tag: '@once' }, async ({
  page,
  server,
  signInAs,
}) => {
  const person = await signInAs(page, 'None');
  const elsewhere = await server.signIn(person.username);
  await openReporting(page);
  await openMenu(page);
  await page.getByRole('button', { name: person.username }).click();
  await page.getByRole('link', { name: 'Where You Are Signed In' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: '(this device)' })).toHaveCount(1);
  await expectAccessiblePage(page);
  await page.getByRole('button', { name: 'Sign Out:' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign out' });
  await dialog.getByRole('button', { name: 'Sign Out' }).click();
  await expect(dialog.getByText('Password is required')).toBeVisible();
  await expectAccessiblePage(page);
  await dialog.getByLabel('Current password').fill(password);
  await dialog.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByText('The device is signed out')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign Out' })).toHaveCount(0);
  await expect(elsewhere(api.getSession)).rejects.toThrow('Please sign in');
});

test('the root page shows a loading state while the session is checked', { tag: '@once' }, async ({ page }) => {
  const heldRequest = Promise.withResolvers<void>();
  await page.route(`**${api.getSession.path}`, async (route) => {
    await heldRequest.promise;
    await route.continue();
  });
  await page.goto('/');
  await expect(page.getByRole('status').getByText('Loading...')).toBeVisible();
  heldRequest.resolve();
  await page.waitForURL('**/login');
});

test.describe('slow connections', () => {
  test('a screen that loads slowly shows a loading bar', { tag: '@once' }, async ({ page, signInAs }) => {
    await signInAs(page, 'None');
    await openReporting(page);
    const heldRequest = Promise.withResolvers<void>();
    await page.route('**/assets/ChecklistsPage*', async (route) => {
      await heldRequest.promise;
      await route.continue();
    });
    await openMenu(page);
    await page.getByRole('link', { name: 'Checklists' }).click();
    const loadingNotice = page.getByRole('status').getByText('Loading...');
    await expect(loadingNotice).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Reporting', exact: true })).toBeVisible();
    heldRequest.resolve();
    await expect(page.getByRole('heading', { name: 'Checklists' })).toBeVisible();
    await expect(loadingNotice).toHaveCount(0);
  });

  test.use({
    allowedConsoleErrors: /status of 401|Failed to load resource|Failed to fetch dynamically|Unable to preload CSS/,
  });

  test('a stylesheet that failed is requested again with its screen', { tag: '@once' }, async ({ page, signInAs }) => {
    await signInAs(page, 'None');
    // Without the preload links, the first request is the screen's.
    await page.route('**/reporting', async (route) => {
      const response = await route.fetch();
      const { link: _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    let requests = 0;
    await page.route('**/assets/screens-*.css', (route) => {
      requests += 1;
      return requests === 1 ? route.abort() : route.continue();
    });
    await openReporting(page);
    expect(requests).toBe(2);
    expect(
      await page.evaluate(() => [...document.styleSheets].filter(({ href }) => href?.includes('screens-')).length),
    ).toBe(1);
  });

  for (const files of ['**/assets/first-*', '**/assets/index-*.js'])
    test(`a failed request for the script ${files} shows an error with a link to try again`, { tag: '@once' }, async ({
      page,
    }) => {
      await page.route(files, (route) => route.abort());
      // Runs animations ten times as fast: one of them shows the message after ten seconds.
      const session = await page.context().newCDPSession(page);
      await session.send('Animation.enable');
      await session.send('Animation.setPlaybackRate', { playbackRate: 10 });
      await page.goto('/login?a=1');
      await expect(page.getByText('The page could not be loaded yet')).toBeVisible();
      await page.unroute(files);
      await page.getByRole('link', { name: 'Try again' }).click();
      await expect(page.getByLabel('Username')).toBeVisible();
      expect(page.url()).toMatch(/\/login\?a=1$/);
    });
});

test('a signed-out user reaches the login screen with one session check', { tag: '@once' }, async ({ page }) => {
  const requestedScreens: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(api.getSession.path)) requestedScreens.push(request.url());
  });
  // The response for the screen never arrives.
  await page.route('**/assets/ReportingPage*', () => undefined);
  await expectVisibleWithin(page, '/reporting', 900, page.getByLabel('Username'));
  expect(requestedScreens).toHaveLength(1);
});
