// Seasonal staff let the browser translate the page. It replaces the texts that React drew with its own elements.
import { api } from '#shared/api.ts';
import { newAudit, newFolder, newReport } from '../src/server/testing/factories.ts';
import { dialogs } from './all-dialogs.ts';
import { listScreens } from './all-screens.ts';
import { expect, test } from './server.ts';

test.use({ allowedConsoleErrors: /status of 401/ });

test('screens and dialogs that the browser translates stay usable, and show what has changed', {
  tag: '@once',
}, async ({ page, signInAs }) => {
  test.slow();
  await page.addInitScript(translate);
  const admin = await signInAs(page, 'Admin');
  const { id: report } = await admin(api.submitAccident, { body: await newReport(admin) });
  await admin(api.submitAccident, { body: await newReport(admin) });
  const folder = await newFolder(admin);
  const { id: audit } = await admin(api.createAudit, { body: newAudit(folder) });

  // Each screen replaces the one before in the same page.
  await page.goto('/reporting');
  for (const path of listScreens({ report, folder, audit })) {
    await page.evaluate((path) => history.pushState(null, '', path), path);
    await expect(page.locator('h1 font').first(), path).toBeVisible();
    await expect(page.locator('[aria-busy="true"]'), path).toHaveCount(0);
    await expect(page.getByText('Something went wrong'), path).toBeHidden();
  }

  for (const { path, title, open } of dialogs) {
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

/** Does what the browser's translation does, without changing the words. Runs in the page. */
function translate() {
  const wrap = (root: Node) => {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const nodes: Text[] = [];
    while (texts.nextNode()) nodes.push(texts.currentNode as Text);
    for (const node of nodes) {
      const parent = node.parentElement;
      if (!node.data.trim() || !parent || parent.closest('script, style, font, textarea, select, [translate=no]'))
        continue;
      const outer = document.createElement('font');
      outer.append(document.createElement('font'));
      outer.firstChild?.appendChild(document.createTextNode(node.data));
      node.replaceWith(outer);
    }
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        const root = node instanceof Text ? node.parentElement : node;
        if (root && root.nodeName !== 'FONT') wrap(root);
      }
  }).observe(document, { childList: true, subtree: true });
}
