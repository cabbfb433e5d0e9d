// `npm run icons`: draws the icons of the installed app from src/web/public/logo.svg. Run it when
// the logo changes, and commit them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './run.mjs';

const web = join(root, 'src/web/public');
const logo = readFileSync(join(web, 'logo.svg'), 'utf8');

// Devices crop maskable icons, so the logo is square and smaller.
const fullBleedLogo = [
  ['viewBox="0 0 64 64"', 'viewBox="-4 -4 72 72"'],
  ['<rect width="64" height="64" rx="14" />', '<rect x="-4" y="-4" width="72" height="72" />'],
  ['M0 0h64v64H0z', 'M-4-4h72v72h-72z'],
].reduce((svg, [from, to]) => {
  if (!svg.includes(from)) throw new Error(`The logo is drawn differently now: ${from} is not in it.`);
  return svg.replace(from, to);
}, logo);

for (const [name, size, svg] of [
  ['favicon', 48, logo],
  ['icon-192', 192, logo],
  ['icon-512', 512, logo],
  ['maskable-192', 192, fullBleedLogo],
  ['maskable-512', 512, fullBleedLogo],
  ['apple-touch-icon', 180, fullBleedLogo],
])
  await sharp(Buffer.from(svg), { density: (72 * size) / 64 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true, quality: 95 })
    .toFile(join(web, 'icons', `${name}.png`));
