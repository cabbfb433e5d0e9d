// The most frequent tasks in WebKit (iPhones) and Firefox. Everything else is tested in Chromium.
import { api } from '#shared/api.ts';
import { kindTexts, pageTexts } from '#shared/places/guest-texts.ts';
import { newFolder } from '../../src/server/testing/factories.ts';
import { addLabel } from '../../src/server/testing/guests.ts';
import { startTcpProxy, type TcpProxy } from '../../src/server/testing/tcp-proxy.ts';
import { copied, photo } from '../interactions.ts';
import { affectedSignature, filled, ownSignature } from '../report-form.ts';
import { expect, test } from './test.ts';

test('a user signs in, and submits a report with a HEIC photo after a reload', async ({
  signIn,
  app,
  engine,
  server,
  traffic,
}, { project }) => {
  await signIn('None', 'Lido Beach');
  await app.expectText('Accident Reporting Form');
  // One request for each load of the page: it used the response to its preload link.
  expect(traffic.urls.filter((url) => url === '/api/protected')).toHaveLength(2);

  // WebKit shows the current time in an empty field, as if it were chosen.
  if (project.name === 'webkit') await app.expectText('Not chosen yet');
  await app.set('Park', filled.Park);
  await app.type('Injured person', filled.person);
  await app.type('Age', filled.Age);
  await app.type('Contact number', filled['Contact number']);
  await app.type('Person completing the form', filled['Person completing the form']);
  await app.set('Date', filled.Date);
  await app.set('Time', filled.Time);
  await app.expectText(`${filled.Time} (24-hour time)`);
  await app.expectNoText('Not chosen yet');
  await app.set(/^Type of/, filled.type);
  await app.type('Location or plot', filled['Location or plot']);
  await app.set('Employment status', filled['Employment status']);
  await app.set('Emergency services attended', filled['Emergency services attended']);
  await app.type('Details', filled.Details);
  // Only WebKit of older iPhones cannot decode HEIC itself, and WebKitGTK decodes large photos slowly.
  const heic = project.name === 'webkit' ? 'small.heic' : 'phone-iphone-13.heic';
  await app.addPhotos([photo(heic), copied('cut-off-at-70-percent.jpg'), copied('photo-without-extension')]);
  await app.expectText('Cut off while copying');
  await app.sign(ownSignature);

  // Three photos and a signature.
  await expect.poll(() => engine.run('countDraftPhotos')).toBe(4);
  await app.reload();
  await app.expectValue('Details', filled.Details);
  await app.expectValue('Time', filled.Time);
  await app.expectText('3 photos added.');
  await app.expectText('Sign Again');

  await app.sign(affectedSignature);
  await app.press(/^Submit/);
  await app.expectText('Accident report submitted successfully!');
  const reviewer = await server.as('Admin');
  const [report] = await reviewer(api.listReports, { query: { limit: 1 } });
  expect(report).toMatchObject({ name: filled.person, date: filled.Date, time: filled.Time, details: filled.Details });
  expect(report?.mediaFiles.map(({ cutOff }) => cutOff)).toEqual([undefined, true, undefined]);
});

test('a checklist with a signature is submitted, and an audit is created and completed', async ({
  signIn,
  app,
  engine,
  server,
}, { project }) => {
  const manager = await server.as('Health & Safety Manager');
  await manager(api.createChecklist, {
    body: {
      title: 'Pool check',
      sections: [
        { title: 'Water clear', type: 'checkbox', required: true },
        { title: 'Next check', type: 'date', required: true },
        { title: 'Remarks', type: 'text', required: true },
        { title: 'Signed by', type: 'signature', required: true },
      ],
    },
  });
  const folder = await newFolder(await server.as('Admin'), { park: 'Lido Beach' });
  await signIn('None', 'Lido Beach');
  await app.open('/checklists');
  await app.press(/^Pool check/);
  await app.press('Water clear');
  await app.set('Next check', '2026-12-01');
  await app.type('Remarks', 'Two tiles are loose.');
  await app.sign('Sign Signed by');
  await app.press('Submit Checklist');
  await app.expectText('Checklist submitted successfully');

  // WebKit freezes a page that is left; its unfinished transaction must not block the next page.
  if (project.name === 'webkit') {
    await engine.run('addOldDrafts', 5000);
    await app.open('/reporting');
    await expect.poll(() => engine.run('isDatabaseBusy'), { intervals: [50] }).toBe(true);
  }
  await app.open(`/create-audit/${folder}`);
  await app.type('Title', 'Check the swings');
  await app.set('Date', '2026-02-01');
  await app.set('Time', '09:30');
  await app.addPhotos([photo('phone-jolla.jpg')]);
  await app.press('Create Audit');
  await app.expectPath(`/audit-folders/${folder}`);
  await app.expectText('Date/Time: 01/02/2026 at 09:30');
  await app.press(/^View Details/);
  await app.press('Complete Audit');
  await app.press('Confirm');
  await app.expectText('Audit marked as completed successfully');
});

test.describe('a broken connection', () => {
  let proxy: TcpProxy;
  test.use({
    url: async ({ server }, use) => {
      proxy = await startTcpProxy(server.url);
      await use(proxy.url);
      await proxy.disconnect();
    },
  });

  test('the app opens offline, and loads missing data once the server can be reached again', async ({
    signIn,
    app,
    server,
  }) => {
    await newFolder(await server.as('Admin'), { name: 'Gas lockers' });
    await signIn('None', 'Lido Beach');
    await proxy.disconnect();
    await app.open('/audits');
    await app.expectText('You are offline.');
    await app.expectText('Try Again');
    await proxy.reconnect();
    await app.expectText('Gas lockers');
    await app.expectNoText('You are offline.');
  });
});

test.describe('bugs that occurred in Firefox only', () => {
  // Firefox aborts a page's imports when the page is left, which must not be logged as an error.
  test('leaving the page while the app loads logs no error', { tag: '@firefox' }, async ({ app, traffic }) => {
    traffic.delayedPaths = /^\/assets\/first-/;
    await app.open('/login');
    await app.open('/login?again');
    await app.expectText('Username');
    delete traffic.delayedPaths;
  });

  test("an error page from the server has the app's icon", { tag: '@firefox' }, async ({ app, traffic }) => {
    await app.open('/api/report-pdf/none');
    await app.expectText('Go to the first screen');
    await expect.poll(() => traffic.urls).toContain('/icons/favicon.png');
  });
});

test('a guest writes in Welsh with a photo, which is made small, and reloads the receipt', async ({
  app,
  engine,
  server,
}) => {
  const label = await addLabel(server, 'Kingsley', 'Pwll nofio');
  await app.open(`${server.guestUrl}/h/${label}?lang=cy`);
  await app.press(kindTexts.Fire.cy);
  await app.type(pageTexts.words.cy, 'Mwg');
  await engine.pickFiles('input[type=file]', [photo('phone-jolla.jpg')]);
  await app.press(pageTexts.send.cy);
  await app.expectText('Daeth i law ar');
  await app.reload();
  await app.expectText('Daeth i law ar');
  const messages = await server.db.selectFrom('guest_messages').selectAll().execute();
  expect(messages.map(({ kind, words, language }) => [kind, words, language])).toEqual([['Fire', 'Mwg', 'cy']]);
  const [file] = JSON.parse(messages[0]?.media_files ?? '[]');
  expect(file.size).toBeLessThan(400_000);
});
