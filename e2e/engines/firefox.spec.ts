// Bugs that occurred in Firefox only. Its console must stay empty, as after every test.
import { expect, test } from './test.ts';

// Firefox aborts a page's imports when the page is left, which must not be logged as an error.
test('leaving the page while the app loads logs no error', async ({ app, traffic }) => {
  traffic.delayedPaths = /^\/assets\/first-/;
  await app.open('/login');
  await app.open('/login?again');
  await app.expectText('Username');
  delete traffic.delayedPaths;
});

test("an error page from the server has the app's icon", async ({ app, traffic }) => {
  await app.open('/api/report-pdf/none');
  await app.expectText('Go to the first screen');
  await expect.poll(() => traffic.urls).toContain('/icons/favicon.png');
});
