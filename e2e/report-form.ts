import { expect, type Page } from '@playwright/test';
import { getToday } from '#shared/dates.ts';
import { draw, photo } from './interactions.ts';

/** Four photos of real cameras: HEIC, rotated by EXIF, with GPS, with unusual metadata. */
export const fourPhotos = [
  'phone-iphone-13.heic',
  'orientation-landscape-6.jpg',
  'gps-DSCN0010.jpg',
  'odd-metadata-1.jpg',
].map(photo);

export const filled = {
  Park: 'Lido Beach',
  person: 'Siân Gwenllïan Ŵyn',
  Age: '34',
  'Contact number': '07700900123',
  'Person completing the form': '山田 花子',
  Date: '2026-03-14',
  Time: '14:05',
  type: 'Slip',
  'Location or plot': 'Plot 12',
  'Employment status': 'Guest',
  'Emergency services attended': 'Ambulance',
  Details: 'Slipped on the wet step by the pool.\nA first aider attended.',
};

const labels: Record<string, RegExp> = { person: /^(Injured|Involved) person$/, type: /^Type of/ };

/** The field with this label, on any of the four forms. */
export const field = (page: Page, name: string) => page.getByLabel(labels[name] ?? new RegExp(`^${name}$`));

/** The fields of `filled` with a list to choose from. */
const chosen = ['Park', 'Employment status', 'Emergency services attended'];

/** Fills in the fields of `filled`; `changes` replace the default values that a test is about. */
export async function fillIn(page: Page, changes: Partial<typeof filled> = {}) {
  for (const [name, value] of Object.entries({ ...filled, ...changes })) {
    if (chosen.includes(name)) await field(page, name).selectOption(value);
    else await field(page, name).fill(value);
  }
}

export async function addPhotos(page: Page, files: string | string[] = photo('phone-jolla.jpg')) {
  const count = [files].flat().length;
  await page.getByLabel('Choose Photos').setInputFiles(files);
  await expect(page.getByText(count === 1 ? '1 photo added.' : `${count} photos added.`)).toBeVisible({
    timeout: 60_000,
  });
}

/** The button that opens a signature dialog. */
export const signatureButton = (page: Page, label: RegExp) =>
  page.getByRole('button', { name: label }).and(page.locator('[aria-haspopup]'));

export async function signByDrawing(page: Page, label: RegExp) {
  await signatureButton(page, label).click();
  await draw(page);
  await saveSignature(page);
}

export async function signByTyping(page: Page, label: RegExp, name = 'Siân Owen-Price') {
  await signatureButton(page, label).click();
  await page.getByRole('button', { name: 'Type Name' }).click();
  await page.getByLabel('Your full name').fill(name);
  await saveSignature(page);
}

async function saveSignature(page: Page) {
  await page.getByRole('button', { name: 'Save Signature' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
}

/**
 * Signatures by label: the first is 'Reporter signature' on the tabs and 'Your signature' on the
 * standalone pages.
 */
export const ownSignature = /(Reporter|Your) signature/;
export const affectedSignature = /Affected party signature/;

/** Fills in a complete report with one photo and two typed signatures. */
export async function fillInReport(page: Page, changes: Partial<typeof filled> = {}) {
  await fillIn(page, changes);
  await addPhotos(page);
  await signByTyping(page, ownSignature);
  await signByTyping(page, affectedSignature);
}

export const submit = (page: Page) => page.getByRole('button', { name: /^Submit/ });

/**
 * Checks that the form is empty except for the park, today’s date and who completed the last
 * report.
 */
export const expectEmptyForm = async (page: Page, reporter = '', park = '') => {
  const known: Record<string, string | RegExp> = {
    Park: park,
    Date: await matchToday(page),
    'Person completing the form': reporter,
  };
  for (const name of Object.keys(filled)) await expect(field(page, name)).toHaveValue(known[name] ?? '');
  await expect(page.getByText('No photos added yet.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Sign Again/ })).toHaveCount(0);
};

/** Matches today by the page's clock, or yesterday if the page may have opened before midnight. */
async function matchToday(page: Page) {
  const now = await page.evaluate(() => Date.now());
  const days = [now - 60_000, now].map((time) => getToday(new Date(time)));
  return new RegExp(`^(${days.join('|')})$`);
}
