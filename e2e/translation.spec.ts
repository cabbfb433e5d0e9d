// Seasonal staff let the browser translate the page. It replaces the texts that React drew with its own elements.
import { api } from '#shared/api.ts';
import { newAudit, newFolder, newReport } from '../src/server/testing/factories.ts';
import { dialogs, findUnlistedDialogs } from './all-dialogs.ts';
import { createRecordScreens, listScreens, listUnopened } from './all-screens.ts';
import { expect, test } from './server.ts';
import { translate } from './translate.ts';

test.use({ allowedConsoleErrors: /status of 401/, isTranslated: false });

test('every dialog in the source is in a list, so that none is forgotten @once', async () => {
  expect(await findUnlistedDialogs()).toEqual([]);
});

test('screens and dialogs that the browser translates stay usable, and show what has changed', {
  tag: '@once',
}, async ({ page, server, signInAs }) => {
  test.slow();
  await page.addInitScript(translate);
  const admin = await signInAs(page, 'Admin');
  const { id: report } = await admin(api.submitAccident, { body: await newReport(admin) });
  await admin(api.submitAccident, { body: await newReport(admin) });
  const folder = await newFolder(admin);
  const { id: audit } = await admin(api.createAudit, { body: newAudit(folder) });

  // Each screen replaces the one before in the same page.
  await page.goto('/reporting');
  const addresses = [
    ...listScreens({ report, folder, audit }),
    ...(await createRecordScreens(server, admin, { report })),
  ];
  expect(listUnopened(addresses)).toEqual([]);
  for (const path of addresses) {
    await page.evaluate((path) => history.pushState(null, '', path), path);
    await expect(page.locator('h1 font, h1[translate="no"]').first(), path).toBeVisible();
    await expect(page.locator('[aria-busy="true"]'), path).toHaveCount(0);
    await expect(page.getByText('Something went wrong'), path).toBeHidden();
  }

  // Names stay as they are.
  await page.goto(addresses.find((path) => path.startsWith('/places/')) ?? '');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Paddling pool');
  await expect(page.locator('h1 font')).toHaveCount(0);

  for (const { path, title, open } of dialogs) {
    // The screen of the user before would go to the login screen meanwhile.
    await page.goto('about:blank');
    await signInAs(page, 'Admin');
    await page.goto(path.replace(':report', report));
    await open?.(page);
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog.locator('font').first(), String(title)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('Something went wrong')).toBeHidden();
  }

  // Numbers that stand beside an element change.
  await signInAs(page, 'Admin');
  await page.goto('/get-reports?view=list');
  const list = page.getByRole('region', { name: 'Accident Reports' });
  await expect(list).toContainText(/[1-9]\d* reports?/);
  await list.getByRole('searchbox').fill('nothing like this');
  await expect(list).toContainText(/(?<!\d)0 reports/);
});

test('texts side by side that the browser replaces by one element change, move and go', { tag: '@once' }, async ({
  page,
  signInAs,
}) => {
  await page.addInitScript(() => Object.assign(window, { joinsTexts: true }));
  await page.addInitScript(translate);
  const admin = await signInAs(page, 'Admin');
  await admin(api.submitAccident, { body: await newReport(admin) });
  await page.goto('/get-reports?view=list');
  const list = page.getByRole('region', { name: 'Accident Reports' });
  await expect(list).toContainText(/[1-9]\d* reports?/);
  for (const [search, count] of [
    ['nothing like this', /(?<!\d)0 reports/],
    ['', /[1-9]\d* reports?/],
  ] as const) {
    await list.getByRole('searchbox').fill(search);
    await expect(list).toContainText(count);
  }
  // React holds these texts; the page has an element in their place.
  const seen = await page.evaluate(async () => {
    const nextTurn = () => new Promise((resolve) => setTimeout(resolve));
    const create = async (...words: string[]) => {
      const box = document.body.appendChild(document.createElement('p'));
      const texts = words.map((word) => box.appendChild(document.createTextNode(word)));
      box.appendChild(document.createElement('b'));
      await nextTurn();
      return { box, texts: texts as [Text, Text, ...Text[]], wrapped: box.querySelectorAll(':scope > font').length };
    };
    const results: Record<string, unknown> = {};
    const changed = await create('3', ' of ', '4');
    results.wrapped = changed.wrapped;
    changed.texts[1].nodeValue = ' von ';
    results.changed = changed.box.textContent;
    const removed = await create('3', ' of ', '4');
    removed.box.removeChild(removed.texts[1]);
    results.removed = removed.box.textContent;
    await nextTurn();
    for (const text of removed.texts.toSpliced(1, 1)) removed.box.removeChild(text);
    results.empty = removed.box.textContent;
    const moved = await create('a', 'b');
    moved.box.insertBefore(moved.texts[1], moved.texts[0]);
    results.moved = moved.box.textContent;
    await nextTurn();
    moved.box.appendChild(moved.texts[1]);
    results.last = moved.box.textContent;
    return results;
  });
  const expected = { wrapped: 1, changed: '3 von 4', removed: '34', empty: '', moved: 'ba', last: 'ab' };
  expect(seen).toEqual(expected);
});
