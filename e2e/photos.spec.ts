import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './harness/test.ts';
import { copied, NOT_PHOTOS, PHOTOS, pasteImage, photo } from './interactions.ts';

const textFile = (name: string, mimeType: string) => ({ name, mimeType, buffer: Buffer.from('not a photo at all') });

type ChosenFile = string | { name: string; mimeType: string; buffer: Buffer };

/** Chooses files, from the disk or generated. */
async function choosePhotos(page: Page, files: ChosenFile | ChosenFile[]) {
  const types: Record<string, string> = { '.jpg': 'image/jpeg', '.png': 'image/png', '.heic': 'image/heic' };
  const chosenFiles = [files].flat().map((file) => {
    if (typeof file !== 'string') return file;
    return { name: basename(file), mimeType: types[extname(file)] ?? '', buffer: readFileSync(file) };
  });
  await page.getByLabel('Choose Photos').setInputFiles(chosenFiles);
}

/**
 * The photos that the form would upload: their properties, and a 12 by 12 grey copy of each to
 * compare the content.
 */
function readPreparedPhotos(page: Page) {
  return page.evaluate(() =>
    Promise.all(
      window.formContent.photos.map(async ({ name, file }) => {
        const image = await createImageBitmap(file, { imageOrientation: 'none' });
        const context2d = Object.assign(document.createElement('canvas'), { width: 12, height: 12 }).getContext('2d');
        if (!context2d) throw new Error('no canvas');
        context2d.drawImage(image, 0, 0, 12, 12);
        const { data } = context2d.getImageData(0, 0, 12, 12);
        const grey = Array.from({ length: 144 }, (_, i) => Number(data[i * 4]) + Number(data[i * 4 + 1]));
        const head = new TextDecoder('latin1').decode(await file.arrayBuffer());
        const metadata = /Exif\0|http:\/\/ns\.adobe\.com|GPS/.test(head);
        return {
          name,
          file: file.name,
          type: file.type,
          size: file.size,
          width: image.width,
          height: image.height,
          grey,
          metadata,
        };
      }),
    ),
  );
}

test('every photo becomes an upright, small JPEG without metadata', async ({ page, harness }) => {
  const names = readdirSync(PHOTOS).filter((name) => name.endsWith('.jpg'));
  await page.goto(harness.url);
  await choosePhotos(page, names.map(photo));
  await expect(page.getByText(`${names.length} photos added.`)).toBeVisible({ timeout: 60_000 });

  const photos = await readPreparedPhotos(page);
  expect(photos.map(({ name }) => name)).toEqual(names);
  for (const { name, type, size, width, height, metadata } of photos) {
    expect(type, name).toBe('image/jpeg');
    expect(size, name).toBeLessThanOrEqual(800_000);
    expect(Math.max(width, height), name).toBeLessThanOrEqual(1280);
    expect(metadata, name).toBe(false);
  }

  const uprightPhoto = photos.find(({ name }) => name === 'orientation-landscape-1.jpg');
  const rotatedPhotos = photos.filter(({ name }) => name.startsWith('orientation-landscape'));
  expect(rotatedPhotos).toHaveLength(4);
  for (const { name, width, height, grey } of rotatedPhotos) {
    expect(width, name).toBeGreaterThan(height);
    const difference =
      grey.reduce((sum, value, i) => sum + Math.abs(value - Number(uprightPhoto?.grey[i])), 0) / grey.length;
    expect(difference, name).toBeLessThan(20);
  }
  const portrait = photos.find(({ name }) => name === 'orientation-portrait-6.jpg');
  expect(portrait?.height).toBeGreaterThan(Number(portrait?.width));
});

test("an iPhone's HEIC photo is converted under the CSP by a decoder that is loaded on demand", async ({
  page,
  harness,
}) => {
  const previewRequests: string[] = [];
  page.on('request', (request) => previewRequests.push(request.url()));
  await page.goto(harness.url);
  await choosePhotos(page, photo('phone-jolla.jpg'));
  await expect(page.getByText('1 photo added.')).toBeVisible();
  expect(previewRequests.filter((url) => url.includes('heic'))).toEqual([]);

  await choosePhotos(page, photo('phone-iphone-13.heic'));
  await expect(page.getByRole('status').filter({ hasText: 'Processing images...' })).toBeVisible();
  await expect(page.getByText('2 photos added.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Processing images...')).toBeHidden();
  expect(previewRequests.some((url) => url.includes('heic'))).toBe(true);
  const [, heic] = await readPreparedPhotos(page);
  expect(heic).toMatchObject({ name: 'phone-iphone-13.heic', file: 'phone-iphone-13.jpg', type: 'image/jpeg' });
  expect(heic?.size).toBeLessThanOrEqual(800_000);
  expect(new Set(heic?.grey).size).toBeGreaterThan(50);
});

test('a browser without OffscreenCanvas prepares a photo on the page instead of in a worker', async ({
  page,
  harness,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'OffscreenCanvas'));
  await page.goto(harness.url);
  await choosePhotos(page, photo('orientation-landscape-6.jpg'));
  await expect(page.getByText('1 photo added.')).toBeVisible();
  const [preparedPhoto] = await readPreparedPhotos(page);
  expect(preparedPhoto?.width).toBeGreaterThan(Number(preparedPhoto?.height));
  expect(preparedPhoto?.size).toBeLessThanOrEqual(800_000);
});

/** Random noise, which no encoder can compress. */
async function drawNoise(page: Page, side: number, type: string) {
  const url = await page.evaluate(
    async ([side, type]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side });
      const context2d = canvas.getContext('2d');
      const data = context2d?.createImageData(side, side);
      for (let i = 0; data && i < data.data.length; i++) data.data[i] = i % 4 === 3 ? 255 : Math.random() * 256;
      if (data) context2d?.putImageData(data, 0, 0);
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 1));
      const reader = new FileReader();
      await new Promise((read) => {
        reader.onload = read;
        reader.readAsDataURL(blob ?? new Blob());
      });
      return String(reader.result);
    },
    [side, type] as const,
  );
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

test('a photo that is too large is reduced in quality first, then in size', async ({ page, harness }) => {
  await page.goto(harness.url);
  await choosePhotos(page, {
    name: 'noise.jpg',
    mimeType: 'image/jpeg',
    buffer: await drawNoise(page, 1300, 'image/jpeg'),
  });
  await expect(page.getByText('1 photo added.')).toBeVisible();
  const [preparedNoise] = await readPreparedPhotos(page);
  expect(preparedNoise?.size).toBeLessThanOrEqual(800_000);
  expect(preparedNoise?.size).toBeGreaterThan(300_000);
});

test('a PNG screenshot stays PNG in an audit if it is small enough, and becomes JPEG in a report', async ({
  page,
  harness,
}) => {
  await page.goto(`${harness.url}?use=audit`);
  const small = { name: 'screen.png', mimeType: 'image/png', buffer: await drawNoise(page, 200, 'image/png') };
  const largeImage = { name: 'large.png', mimeType: 'image/png', buffer: await drawNoise(page, 700, 'image/png') };
  await choosePhotos(page, [small, largeImage]);
  await expect(page.getByText('2 photos added.')).toBeVisible();
  expect((await readPreparedPhotos(page)).map(({ file }) => file)).toEqual(['screen.png', 'large.jpg']);

  await page.goto(harness.url);
  await choosePhotos(page, small);
  await expect(page.getByText('1 photo added.')).toBeVisible();
  expect((await readPreparedPhotos(page)).map(({ file }) => file)).toEqual(['screen.jpg']);
});

test('files that cannot be read as photos are named at the photo field', async ({ page, harness }) => {
  await page.goto(harness.url);
  await choosePhotos(page, [
    textFile('IMG_1.jpg', 'image/jpeg'),
    // HEIC with a wrong name is detected by its first bytes.
    { name: 'IMG_7.jpg', mimeType: 'image/jpeg', buffer: readFileSync(photo('small.heic')) },
    textFile('IMG_2.heic', ''),
    join(NOT_PHOTOS, 'xhdn0g08.png'),
  ]);
  await expect(page.getByText('1 photo added.')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('group', { name: 'Photos of what happened' })).toHaveAttribute('aria-busy', 'false', {
    timeout: 60_000,
  });
  for (const name of ['IMG_1.jpg', 'IMG_2.heic', 'xhdn0g08.png']) {
    await expect(page.getByRole('alert').getByText(`${name} could not be read as a photo.`)).toBeVisible();
  }
  await expect(page.getByLabel('Choose Photos')).toHaveAccessibleDescription(
    /IMG_1\.jpg could not be read as a photo\./,
  );
});

test('files are judged by their content, and those that are left out are named', async ({ page, harness }) => {
  await page.goto(harness.url);
  const withoutType = (name: string, path: string) => ({ name, mimeType: '', buffer: readFileSync(path) });
  const whole = readFileSync(copied('photo-without-extension'));
  const header = whole.subarray(0, whole.indexOf(Buffer.from([0xff, 0xda])) + 30);
  await choosePhotos(page, [
    textFile('notes.txt', 'text/plain'),
    withoutType('photo-without-extension', copied('photo-without-extension')),
    withoutType('DSC00001.HIF', photo('small.heic')),
    withoutType('scan.txt', photo('phone-jolla.jpg')),
    copied('cut-off-at-70-percent.jpg'),
    { name: 'header.jpg', mimeType: 'image/jpeg', buffer: header },
  ]);
  await expect(page.getByText('4 photos added.')).toBeVisible({ timeout: 60_000 });
  const alert = page.getByRole('alert');
  await expect(alert.getByText('Left out: notes.txt, header.jpg')).toBeVisible();
  await expect(alert.getByText('header.jpg could not be read as a photo.')).toBeVisible();
  await expect(alert.getByText('Only image files are supported')).toHaveCount(0);
  const marked = page.getByRole('listitem').filter({ hasText: 'Cut off while copying' });
  await expect(marked).toHaveCount(1);
  await expect(marked).toContainText('cut-off-at');
  await expect(marked).toContainText('Remove it, copy it again and add the copy.');
  const prepared = await readPreparedPhotos(page);
  expect(prepared.map(({ file, width }) => [file, width])).toEqual([
    ['photo-without-extension.jpg', 640],
    ['DSC00001.jpg', 1024],
    ['scan.jpg', 1280],
    ['cut-off-at-70-percent.jpg', 640],
  ]);
  await expectAccessible(page);
  await marked.getByRole('button', { name: /^View/ }).click();
  await expect(page.getByRole('dialog').getByText('Cut off while copying')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog').getByText('Cut off while copying')).toBeHidden();
  await page.keyboard.press('Escape');

  await page.goto(`${harness.url}?use=audit`);
  await choosePhotos(page, textFile('notes.txt', 'text/plain'));
  await expect(page.getByRole('alert').getByText('Only image files are supported')).toBeVisible();
});

test('a pasted image is a photo', async ({ page, harness }) => {
  await page.goto(harness.url);
  await pasteImage(page.locator('body'));
  await expect(page.getByText('1 photo added.')).toBeVisible();
  expect((await readPreparedPhotos(page)).map(({ file }) => file)).toEqual(['image.jpg']);
});

test('photos beyond the maximum number are not added, and a message says so', async ({ page, harness }) => {
  await page.goto(`${harness.url}?max=2`);
  await choosePhotos(page, ['gps-DSCN0010.jpg', 'gps-DSCN0012.jpg', 'gps-DSCN0021.jpg'].map(photo));
  await expect(page.getByText('2 photos added. You cannot add more.')).toBeVisible();
  await expect(page.getByText('At most 2 photos can be added. One was left out.')).toBeVisible();
});

test('removing a photo by keyboard moves the focus to its neighbour and frees its memory', async ({
  page,
  harness,
}) => {
  await page.addInitScript(() => {
    const open = new Set<string>();
    const { createObjectURL, revokeObjectURL } = URL;
    URL.createObjectURL = (blob: Blob) => {
      const url = createObjectURL.call(URL, blob);
      open.add(url);
      return url;
    };
    URL.revokeObjectURL = (url) => {
      open.delete(url);
      revokeObjectURL.call(URL, url);
    };
    Object.assign(window, { open: open });
  });
  await page.goto(harness.url);
  await choosePhotos(page, ['gps-DSCN0010.jpg', 'gps-DSCN0012.jpg'].map(photo));
  await expect(page.getByText('gps-DSCN00…')).toHaveCount(2);
  await page.getByRole('button', { name: 'Remove photo 1 of 2, gps-DSCN0010.jpg' }).press('Enter');
  const last = page.getByRole('button', { name: 'Remove photo 1 of 1, gps-DSCN0012.jpg' });
  await expect(last).toBeFocused();
  await expect(page.getByRole('status').getByText('gps-DSCN0010.jpg removed.')).toBeAttached();
  await last.press('Enter');
  await expect(page.getByLabel('Choose Photos')).toBeFocused();
  await expect(page.getByText('No photos added yet.')).toBeVisible();
  await expect.poll(() => page.evaluate(() => (window.open as unknown as Set<string>).size)).toBe(0);
});

test('photos can be dropped on the photo field, and phones offer the camera', async ({ page, harness }) => {
  await page.goto(harness.url);
  const droppedFiles = await page.evaluateHandle(async () => {
    const data = new DataTransfer();
    const bytes = await (await fetch('/photos/phone-jolla.jpg')).blob();
    data.items.add(new File([bytes], 'dropped.jpg', { type: 'image/jpeg' }));
    return data;
  });
  await page.getByText('or drag photos here').dispatchEvent('drop', { dataTransfer: droppedFiles });
  await expect(page.getByText('1 photo added.')).toBeVisible();

  await page.setViewportSize({ width: 360, height: 740 });
  const camera = page.getByLabel('Take Photo');
  await expect(camera).toHaveAttribute('capture', 'environment');
  expect((await camera.boundingBox())?.height).toBeGreaterThanOrEqual(44);
});

test("an image chosen as a folder's thumbnail is converted to WebP", async ({ page, harness }) => {
  await page.goto(harness.url);
  const photoBytes = await page.evaluate(async () => {
    const blob = await (await fetch('/photos/phone-jolla.jpg')).blob();
    const { name, type, size } = await window.testTools.makeThumbnail(
      new File([blob], 'folder.jpg', { type: blob.type }),
    );
    return { name, type, size };
  });
  expect(photoBytes).toMatchObject({ name: 'folder.webp', type: 'image/webp' });
  expect(photoBytes.size).toBeLessThanOrEqual(800_000);
});

test('the photo viewer changes photos by key, button and swipe, zooms, and returns the focus when closed', async ({
  page,
  harness,
}) => {
  await page.goto(harness.url);
  const opener = page.getByRole('button', { name: 'View photo 2 of 3, accident report, orientation-portrait-6.jpg' });
  await opener.press('Enter');
  const viewer = page.getByRole('dialog', { name: 'Photo 2 of 3' });
  await expect(viewer.getByAltText('Photo 2 of 3, accident report, orientation-portrait-6.jpg')).toBeVisible();
  await expect(viewer.getByRole('link', { name: 'Download' })).toHaveAttribute('href', /portrait-6\.jpg\?download=1$/);
  await expectAccessible(page);

  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog', { name: 'Photo 3 of 3' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog', { name: 'Photo 1 of 3' })).toBeVisible();
  await page.getByRole('button', { name: 'Previous photo' }).click();
  await expect(page.getByRole('dialog', { name: 'Photo 3 of 3' })).toBeVisible();

  await page.mouse.move(300, 300);
  await page.mouse.down();
  await page.mouse.move(500, 300, { steps: 4 });
  await page.mouse.up();
  await expect(page.getByRole('dialog', { name: 'Photo 2 of 3' })).toBeVisible();

  const picture = page.getByRole('dialog').getByRole('img');
  await page.keyboard.press('+');
  await expect(picture).toHaveAttribute('style', /scale\(1\.5\)/);
  await page.keyboard.press('-');
  await expect(picture).toHaveAttribute('style', /scale\(1\)/);
  await page.mouse.dblclick(640, 400);
  await expect(picture).toHaveAttribute('style', /scale\(2\.5\)/);

  for (let i = 0; i < 10; i++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(opener).toBeFocused();
});

test('a photo can be viewed at full size before it is uploaded', async ({ page, harness }) => {
  await page.goto(harness.url);
  await choosePhotos(page, [photo('phone-jolla.jpg'), photo('orientation-portrait-6.jpg')]);
  await expect(page.getByText('2 photos added.')).toBeVisible();
  const opener = page.getByRole('button', { name: 'View photo 2 of 2, orientation-portrait-6.jpg' });
  await opener.press('Enter');
  const viewer = page.getByRole('dialog', { name: 'Photo 2 of 2' });
  const picture = viewer.getByAltText('Photo 2 of 2, orientation-portrait-6.jpg');
  await expect(picture).toHaveJSProperty('complete', true);
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalHeight)).toBeGreaterThan(1000);
  await expect(viewer.getByRole('link', { name: 'Download' })).toHaveCount(0);
  await expectAccessible(page);
  await page.keyboard.press('ArrowRight');
  await expect(page.getByAltText('Photo 1 of 2, phone-jolla.jpg')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(opener).toBeFocused();
});

for (const scheme of ['light', 'dark']) {
  test(`the photo and signature fields are accessible in ${scheme} mode with photos and errors`, async ({
    page,
    harness,
  }) => {
    await page.goto(`${harness.url}?errors&${scheme}`);
    await choosePhotos(page, photo('phone-jolla.jpg'));
    await expect(page.getByText('1 photo added.')).toBeVisible();
    await expect(page.getByLabel('Choose Photos')).toHaveAccessibleDescription(/Please upload at least one media file/);
    await expectAccessible(page);
  });
}
