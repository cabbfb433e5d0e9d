import { expect, expectAccessible, test } from './harness/test.ts';
import { draw, signatureCanvas } from './interactions.ts';
import { expectSaved, open, readInk, readSavedSignature, save } from './signature-field.ts';

/** A line across the saved image has at least this many pixels, however thin it is. */
const minPixels = 500;

for (const scheme of ['light', 'dark']) {
  test(`a drawn signature is saved as black on white in ${scheme} mode, and the focus returns to its button`, async ({
    page,
    harness,
  }) => {
    await page.goto(`${harness.url}?${scheme}`);
    await open(page);
    await expect(page.getByRole('dialog', { name: 'Sign Here' })).toBeVisible();
    await draw(page, 0.1, 0.9);
    await expectAccessible(page);
    await save(page);
    await expect(page.getByRole('dialog')).toBeHidden();
    const signature = await readSavedSignature(page);
    expect(signature).toMatchObject({ type: 'image/png', width: 800, height: 400, paper: [255, 255, 255, 255] });
    expect(signature?.size).toBeLessThanOrEqual(200_000);
    expect(signature?.pixels).toBeGreaterThan(minPixels);
    const again = page.getByRole('button', { name: 'Sign Again Your signature' });
    await expect(again).toBeFocused();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Clear, Your signature' }).click();
    await expect.poll(() => readSavedSignature(page)).toBeNull();
    await expect(page.getByRole('button', { name: /^Sign Your signature/ })).toBeFocused();
  });
}

test('the strokes of a signature survive rotating the device and back', async ({ page, harness }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(harness.url);
  await open(page);
  await draw(page, 0.2, 0.8);
  const before = await readInk(page);
  const size = await signatureCanvas(page).boundingBox();
  type Size = typeof size;
  const getProportions = ({ left, right, top, bottom }: typeof before, size: Size) =>
    ((right - left) * (size?.width ?? 0)) / ((bottom - top) * (size?.height ?? 1));

  for (const [width, height] of [
    [740, 360],
    [320, 568],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect
      .poll(async () => (await readInk(page)).canvas)
      .toBe(Math.round((await signatureCanvas(page).boundingBox())?.width ?? 0));
    const after = await readInk(page);
    const box = await signatureCanvas(page).boundingBox();
    // The whole drawing is visible, with the same proportions.
    expect(Math.min(after.left, after.top, 1 - after.right, 1 - after.bottom)).toBeGreaterThan(0);
    expect(getProportions(after, box) / getProportions(before, size)).toBeCloseTo(1, 0.5);
    // The line has no gaps between its left end and its right end.
    expect([after.gaps, after.right > after.left]).toEqual([0, true]);
    expect(after.pixels).toBeGreaterThan((after.right - after.left) * after.canvas);
  }
  const after = await readInk(page);
  for (const side of ['left', 'top', 'right', 'bottom'] as const) expect(after[side]).toBeCloseTo(before[side], 1.5);
  expect(after.pixels / before.pixels).toBeCloseTo(1, 1);
  await save(page);
  await expectSaved(page);
  expect((await readSavedSignature(page))?.pixels).toBeGreaterThan(minPixels);
});

test('drawing a signature with a finger does not scroll the page', async ({ browser, harness }) => {
  const page = await browser.newPage({ viewport: { width: 568, height: 320 }, hasTouch: true, isMobile: true });
  await page.goto(harness.url);
  await open(page);
  await expect(signatureCanvas(page)).toHaveAttribute('data-ready');
  const box = await signatureCanvas(page).boundingBox();
  if (!box) throw new Error('the canvas is not drawn');
  const scrollPosition = await page.evaluate(() => window.scrollY);
  const device = await page.context().newCDPSession(page);
  const sendTouch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number) =>
    device.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + 60 + share, y: box.y + box.height * (0.9 - share / 150) }],
    });
  await sendTouch('touchStart', 0);
  for (let share = 4; share <= 100; share += 4) await sendTouch('touchMove', share);
  await sendTouch('touchEnd', 100);
  await expect(signatureCanvas(page)).toHaveAccessibleName('Signature, drawn');
  const line = await readInk(page);
  expect([line.gaps, line.right - line.left > 0.1]).toEqual([0, true]);
  expect(await page.evaluate(() => window.scrollY)).toBe(scrollPosition);
  expect(await page.getByRole('dialog').evaluate((dialog) => dialog.scrollTop)).toBe(0);
  await page.close();
});

test('Undo removes the last stroke of a signature, and Clear removes all of them', async ({ page, harness }) => {
  await page.goto(harness.url);
  await open(page);
  await draw(page, 0.1, 0.4);
  const one = await readInk(page);
  await draw(page, 0.6, 0.9);
  expect((await readInk(page)).right).toBeGreaterThan(0.7);
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(Math.abs((await readInk(page)).right - one.right)).toBeLessThan(0.01);
  await page.getByRole('button', { name: 'Clear' }).click();
  expect((await readInk(page)).pixels).toBe(0);
  await expect(signatureCanvas(page)).toHaveAccessibleName('Signature, empty');
});

test('saving an empty signature does nothing, or shows a message in forms that define one', async ({
  page,
  harness,
}) => {
  await page.goto(harness.url);
  await open(page);
  await save(page);
  await expect(page.getByRole('dialog', { name: 'Sign Here' })).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('');
  await page.keyboard.press('Escape');

  await open(page, 'Affected party signature');
  await save(page);
  await expect(page.getByRole('alert').getByText('Please draw a signature before saving')).toBeVisible();
  await expectAccessible(page);
  await draw(page, 0.2, 0.6);
  await expect(page.getByText('Please draw a signature before saving')).toBeHidden();
});

test('a typed name is saved as the same kind of image as a drawn signature', async ({ page, harness }) => {
  await page.goto(harness.url);
  await page.getByRole('button', { name: /^Sign Your signature/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Type Name' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Your full name')).toBeFocused();
  await page.keyboard.type('Siân Gwenllian Owen-Price of Pendyffryn Hall');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  const signature = await readSavedSignature(page);
  expect(signature).toMatchObject({ type: 'image/png', width: 800, height: 400, paper: [255, 255, 255, 255] });
  expect(signature?.pixels).toBeGreaterThan(minPixels);
  await expect(page.getByRole('button', { name: 'Sign Again Your signature' })).toBeFocused();
});

test('a drawn signature survives a switch to typing and back', async ({ page, harness }) => {
  await page.goto(harness.url);
  await open(page);
  await draw(page, 0.2, 0.8);
  const { pixels } = await readInk(page);
  await page.getByRole('button', { name: 'Type Name' }).click();
  await page.getByRole('button', { name: 'Draw' }).click();
  expect((await readInk(page)).pixels).toBe(pixels);
});

test('an unsaved signature, drawn or typed, survives closing its dialog', async ({ page, harness }) => {
  await page.goto(harness.url);
  await open(page);
  await draw(page, 0.2, 0.8);
  const { pixels } = await readInk(page);
  await page.keyboard.press('Escape');
  await open(page, 'Affected party signature');
  await expect(signatureCanvas(page)).toHaveAccessibleName('Signature, empty');
  await save(page);
  await page.getByRole('button', { name: 'Close without saving' }).click();
  await open(page, 'Affected party signature');
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('');
  await page.keyboard.press('Escape');

  await open(page);
  await expect(signatureCanvas(page)).toHaveAccessibleName('Signature, drawn');
  expect((await readInk(page)).pixels / pixels).toBeCloseTo(1, 1);
  await page.getByRole('button', { name: 'Type Name' }).click();
  await page.getByLabel('Your full name').fill('Siân');
  await page.keyboard.press('Escape');
  await open(page);
  await expect(page.getByLabel('Your full name')).toBeFocused();
  await expect(page.getByLabel('Your full name')).toHaveValue('Siân');
  await page.getByRole('button', { name: 'Draw' }).click();
  await expect(signatureCanvas(page)).toHaveAttribute('data-ready');
  expect((await readInk(page)).pixels / pixels).toBeCloseTo(1, 1);
  await draw(page, 0.3, 0.5);
  await save(page);
  await expectSaved(page);
  await open(page);
  await expect(signatureCanvas(page)).toHaveAccessibleName('Signature, empty');

  // Clearing the field deletes the drawing too.
  await draw(page, 0.2, 0.8);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear, Your signature' }).click();
  await open(page);
  await expect(signatureCanvas(page)).toHaveAccessibleName('Signature, empty');
});

test('the focus stays in the signature dialog, and Escape closes the dialog without saving', async ({
  page,
  harness,
}) => {
  await page.goto(harness.url);
  await open(page);
  await draw(page, 0.2, 0.8);
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  // The hidden dialog does not keep the page from scrolling.
  await expect(page.locator('html')).not.toHaveCSS('overflow-y', 'hidden');
  await expect(page.getByRole('button', { name: /^Sign Your signature/ })).toBeFocused();
  expect(await readSavedSignature(page)).toBeNull();
});

test('a signature that could not be saved shows an error and keeps the drawing', async ({ page, harness }) => {
  await page.goto(harness.url);
  await open(page);
  await draw(page, 0.2, 0.8);
  const { pixels } = await readInk(page);
  await page.evaluate(() => {
    HTMLCanvasElement.prototype.toDataURL = () => 'data:,';
  });
  await save(page);
  await expect(page.getByRole('alert').getByText('Failed to capture signature. Please try again.')).toBeVisible();
  await page.evaluate(() => {
    HTMLCanvasElement.prototype.toDataURL = () => {
      throw new Error('out of memory');
    };
  });
  await save(page);
  await expect(page.getByRole('alert').getByText('Error capturing signature: out of memory')).toBeVisible();
  expect((await readInk(page)).pixels).toBe(pixels);
});

test('the signature dialog fits 320 by 568 px in both orientations, with touch targets of 44 px', async ({
  page,
  harness,
}) => {
  for (const [width, height, label] of [
    [320, 568, 'Your signature'],
    [320, 568, 'Affected party signature'],
    [568, 320, 'Affected party signature'],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(harness.url);
    await open(page, label);
    const dialog = page.getByRole('dialog', { name: 'Sign Here' });
    for (const button of await dialog.getByRole('button').all()) {
      await expect(button).toBeInViewport({ ratio: 1 });
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    await expect(signatureCanvas(page)).toBeInViewport({ ratio: 1 });
    expect((await signatureCanvas(page).boundingBox())?.width).toBeGreaterThanOrEqual(280);
    if (height < width) continue;
    // The small buttons share one row.
    const rows = ['Type Name', 'Undo', 'Clear'].map(async (name) =>
      Math.round((await dialog.getByRole('button', { name, exact: true }).boundingBox())?.y ?? 0),
    );
    expect(new Set(await Promise.all(rows)).size).toBe(1);
  }
});

test("the signature canvas fills a phone's height, and the saved signature is 800 by 400 px", async ({
  page,
  harness,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(harness.url);
  await open(page);
  await expect(signatureCanvas(page)).toHaveAttribute('data-ready');
  const box = await signatureCanvas(page).boundingBox();
  if (!box) throw new Error('no canvas');
  expect(box.height).toBeGreaterThan(380);
  // A drawing over the full height: taller than the saved image, but scaled to fit.
  await page.mouse.move(box.x + 20, box.y + 10);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 20, box.y + box.height / 2, { steps: 10 });
  await page.mouse.move(box.x + 20, box.y + box.height - 10, { steps: 10 });
  await page.mouse.up();
  await save(page);
  await expectSaved(page);
  const signature = await readSavedSignature(page);
  expect(signature).toMatchObject({ width: 800, height: 400, paper: [255, 255, 255, 255] });
  const { top = 0, bottom = 0, left = 0, right = 0 } = signature?.ink ?? {};
  expect(Math.min(top, left, 400 - bottom, 800 - right)).toBeGreaterThan(10);
  expect(bottom - top).toBeGreaterThan(240);
});

test('the signature dialog says whose signature is needed', async ({ page, harness }) => {
  await page.goto(harness.url);
  await open(page, 'Affected party signature');
  await expect(page.getByRole('dialog', { name: 'Sign Here' })).toContainText('Injured person: Ellie Barker');
  await page.keyboard.press('Escape');
  await open(page);
  await expect(page.getByRole('dialog')).toContainText('Person completing the form');
  await expect(page.getByRole('checkbox')).toHaveCount(0);
});

test('the name and reason of someone who signs for another person are required and shown below the signature', async ({
  page,
  harness,
}) => {
  const readSigner = () => page.evaluate(() => window.formContent.other?.signedBy);
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto(harness.url);
  await open(page, 'Affected party signature');
  await page.getByLabel('Someone else is signing for Ellie Barker').check();
  await draw(page);
  await save(page);
  await expect(page.getByText('Enter the name of the person signing')).toBeVisible();
  await expect(page.getByText('Choose why someone else is signing')).toBeVisible();
  await expect(page.getByLabel('Name of the person signing')).toBeFocused();
  await expectAccessible(page);

  await page.getByLabel('Name of the person signing').fill('Mary Barker');
  await expect(page.getByText('Enter the name of the person signing')).toBeHidden();
  await page.getByLabel('Signing as').selectOption({ label: 'They could not sign' });
  await save(page);
  await expect(page.getByText('Enter why they could not sign')).toBeVisible();
  await page.getByLabel('Why they could not sign').fill('her wrist is broken');
  await save(page);
  await expect(page.getByText('Signed by Mary Barker for Ellie Barker, who could not sign because')).toBeVisible();
  expect(await readSigner()).toEqual({
    name: 'Mary Barker',
    capacity: 'Could not sign',
    reason: 'her wrist is broken',
  });

  // Signing again starts with the earlier answers; a parent needs no reason.
  await open(page, 'Affected party signature');
  await expect(page.getByLabel('Name of the person signing')).toHaveValue('Mary Barker');
  await page.getByLabel('Signing as').selectOption('Parent or guardian');
  await page.getByRole('button', { name: 'Type Name' }).click();
  await expect(page.getByLabel('Your full name')).toHaveValue('Mary Barker');
  await save(page);
  await expect(page.getByText('Signed by Mary Barker for Ellie Barker, as parent or guardian')).toBeVisible();
  expect(await readSigner()).toMatchObject({ capacity: 'Parent or guardian', reason: '' });

  await open(page, 'Affected party signature');
  await page.getByLabel('Someone else is signing for Ellie Barker').uncheck();
  await draw(page);
  await save(page);
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await readSigner()).toBeUndefined();
  await expect(page.getByText(/Signed by/)).toHaveCount(0);
});

test('a signature converted to a data URL and back is unchanged', async ({ page, harness }) => {
  await page.goto(harness.url);
  await open(page);
  await draw(page, 0.2, 0.8);
  await save(page);
  await expectSaved(page);
  const [before, after, url, invalid] = await page.evaluate(async () => {
    const { blobToDataUrl, dataUrlToBlob } = window.testTools;
    const png = window.formContent.signature?.png ?? new Blob();
    const url = await blobToDataUrl(png);
    const text = async (blob: Blob | undefined) => [...new Uint8Array((await blob?.arrayBuffer()) ?? [])].join();
    return [await text(png), await text(dataUrlToBlob(url)), url, dataUrlToBlob('data:text/html,<b>') === undefined];
  });
  expect(after).toBe(before);
  expect(url).toMatch(/^data:image\/png;base64,iVBOR/);
  expect(invalid).toBe(true);
});
