import { expect, test } from 'vitest';
import { isHeic } from './heic.ts';

const photo = (brand: string) => new File([`\0\0\0\x18ftyp${brand}\0\0\0\0`], 'holiday.jpg', { type: 'image/jpeg' });

test.each(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1'])(
  'a HEIC file of the brand %s is detected by its first bytes, whatever its name',
  async (brand) => {
    expect(await isHeic(photo(brand))).toBe(true);
  },
);

test('a video and an AVIF image are not detected as HEIC', async () => {
  for (const brand of ['isom', 'avif']) expect(await isHeic(photo(brand))).toBe(false);
});
