// User interactions: keyboard, drawing, choosing photos.
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';

export const PHOTOS = join(import.meta.dirname, '../fixtures/photos');
export const NOT_PHOTOS = join(import.meta.dirname, '../fixtures/not-photos');

/** The path of a file in `fixtures/photos`. */
export const photo = (name: string) => join(PHOTOS, name);

/** The path of a file in `fixtures/copied`. */
export const copied = (name: string) => join(import.meta.dirname, '../fixtures/copied', name);

/** Pastes an image, as after a screenshot, into this element; with `text`, it is also text. */
export async function pasteImage(target: Locator, text = '') {
  await target.evaluate(async (element, text) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 20 });
    canvas.getContext('2d')?.fillRect(5, 5, 10, 10);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([blob as Blob], 'image.png', { type: 'image/png' }));
    if (text) clipboardData.setData('text/plain', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/**
 * Presses Tab until the target has the focus. Stops at the end of the page unless `wrapsAround`.
 */
export async function tabTo(page: Page, target: Locator, wrapsAround = false) {
  await target.waitFor();
  for (let tabPresses = 0; tabPresses < 100; tabPresses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
    if (!wrapsAround && (await page.evaluate(() => document.activeElement === document.body))) break;
  }
  throw new Error(`${target} is not reached by keyboard`);
}

/**
 * Presses the browser's Back button. `page.goBack` waits for a navigation, which may not happen.
 */
export async function pressBack(page: Page) {
  const browser = await page.context().newCDPSession(page);
  const { currentIndex, entries } = await browser.send('Page.getNavigationHistory');
  const before = entries[currentIndex - 1];
  if (!before) throw new Error('there is nothing to go back to');
  await browser.send('Page.navigateToHistoryEntry', { entryId: before.id });
  await browser.detach();
}

/** Expects a dialog to ask before Escape, Cancel or a reload discards its input, and to keep it. */
export async function expectDiscardQuestion(page: Page, dialog: Locator, typedField: Locator) {
  const before = await typedField.inputValue();
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  for (const leavePage of [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Cancel' }).click(),
  ]) {
    await leavePage();
    await question.getByRole('button', { name: 'Keep Editing' }).click();
    await expect(question).toBeHidden();
  }
  // Escape also closes the question. Reading the page between the keys would count as a user
  // action, and hide a bug in which Escape closes both dialogs.
  for (let time = 1; time <= 4; time++) await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(typedField).toHaveValue(before);
  const event = () => dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(await page.evaluate(event), 'may be reloaded').toBe(false);
}

/** The canvas of the open signature dialog. */
export const signatureCanvas = (page: Page) => page.getByRole('dialog').getByRole('img', { name: /^Signature/ });

/** Draws a wave on the canvas between two fractions of its width. */
export async function draw(page: Page, from = 0.1, to = 0.9) {
  await expect(signatureCanvas(page)).toHaveAttribute('data-ready');
  // Waits for the dialog's animation.
  await signatureCanvas(page).hover();
  const box = await signatureCanvas(page).boundingBox();
  if (!box) throw new Error('the canvas is not drawn');
  const at = (share: number) =>
    [box.x + box.width * share, box.y + box.height * (0.5 + 0.3 * Math.sin(share * 20))] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  for (let step = 1; step <= 15; step++) await page.mouse.move(...at(from + ((to - from) * step) / 15));
  await page.mouse.up();
}

/** Opens the navigation's menu on a screen that is too small to show its links. */
export async function openMenu(page: Page) {
  // The menu of a phone gives way to the keyboard.
  await page.locator(':is(input, textarea):focus').evaluateAll(([field]) => (field as HTMLElement | undefined)?.blur());
  const menu = page.getByRole('button', { name: 'Menu' });
  await menu
    .or(page.getByRole('navigation', { name: 'Main' }))
    .first()
    .waitFor();
  if (await menu.isVisible()) await menu.click();
}

/** Opens a screen by its link in the navigation bar. */
export async function openScreen(page: Page, name: string) {
  await page.getByRole('banner').waitFor();
  await openMenu(page);
  await page.getByRole('link', { name, exact: true }).click();
  // Until the screen is shown, its arrival would close the menu again.
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
}

/** Shows another screen without loading the page again, by way of one without a form. */
export async function showScreen(page: Page, path: string) {
  const go = (to: string) => page.evaluate((to) => history.pushState(null, '', to), to);
  const nowhere = page.getByRole('heading', { name: '404 - Page Not Found' });
  await go('/nowhere');
  await nowhere.waitFor();
  await go(path);
  await nowhere.waitFor({ state: 'hidden' });
}

/** On a phone, opens the heading's menu of actions. */
export async function openMore(page: Page) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  const button = page.getByRole('button', { name: 'More', exact: true, expanded: false });
  if (await button.isVisible()) await button.click();
}
