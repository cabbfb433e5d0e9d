// `node scripts/structure.mjs`: checks that imports point one way, that no folder has too many files, that each
// folder of screens has an end-to-end test, and that docs/architecture.md shows the order of imports; exits with 1
// if not. Part of `npm run lint`. `node scripts/structure.mjs --draw` (`npm run structure`) also draws the order into
// docs/architecture.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listSpecsFor } from './changed.mjs';
import { listImports, listLazyImports, listSources } from './imports.mjs';
import { root } from './run.mjs';

/**
 * Lowest first. A part may import from lower layers and from itself. Names are paths within the
 * area: a folder, or a top-level file without its extension. A file in a folder has no entry of its
 * own, because that would hide folders that import each other.
 */
const areas = {
  'src/server': [
    ['errors', 'clock', 'event-loop', 'hash', 'ids', 'image-type', 'provider-settings', 'version'],
    ['config'],
    ['workers', 'db'],
    ['user-parks'],
    ['sign-in/session', 'files', 'pdf', 'names', 'places/links', 'deletions/bin', 'record-kind'],
    ['secrets', 'zip', 'sign-in/throttle', 'reports/queries'],
    ['sign-in/devices'],
    ['http'],
    ['notifications'],
    ['sign-in/factors'],
    ['uploads', 'users', 'pages', 'parks'],
    ['holds', 'sign-in/provider', 'system'],
    ['law', 'schedules', 'messages'],
    ['audits'],
    ['reports', 'checklists', 'places', 'investigations'],
    ['records', 'first-steps'],
    ['activity', 'overview'],
    ['exports', 'search'],
    ['packs'],
    ['retention', 'access-requests'],
    ['deletions'],
    ['backup', 'maintenance', 'uploads-access', 'guests'],
    ['app'],
    ['start'],
    ['demo'],
    ['main', 'cli', 'testing'],
  ],
  'src/web': [
    ['browserItems', 'createStore', 'formNames', 'newUuid', 'operator', 'screens', 'ui/theme'],
    ['useStore', 'offline', 'database'],
    ['ui/feedback', 'ui/forms', 'ui/loading'],
    ['ui/navigation'],
    ['ui/dialogs'],
    ['client'],
    ['drafts', 'exports', 'forms', 'people', 'photos'],
    ['outbox', 'signature', 'parks'],
    ['auth', 'activity', 'law', 'schedules', 'notifications', 'packs', 'investigations'],
    ['reports', 'checklists', 'audits', 'records', 'users', 'deletions', 'overview'],
    ['admin', 'messages', 'places', 'search'],
    ['shell'],
    ['routes'],
    ['App'],
    ['main', 'worker'],
    ['start'],
  ],
};

const problems = [];
for (const [area, layers] of Object.entries(areas)) {
  for (const part of layers.flat())
    if (part.includes('/') && !existsSync(join(root, area, part))) problems.push(`${area}/${part} is not a folder`);
  const layerByPart = new Map(layers.flatMap((parts, level) => parts.map((part) => [part, level])));
  const getPart = (path) => {
    const [first = '', second = ''] = path.replace(/\.\w+$/, '').split('/');
    return [`${first}/${second}`, first].find((part) => layerByPart.has(part));
  };
  const toAreaPaths = (paths) =>
    paths.filter((path) => path.startsWith(`${area}/`)).map((path) => path.slice(area.length + 1));
  const imports = new Map();
  // A test may use whatever it needs.
  const files = listSources(area).filter((path) => !/\.test(-\w+)?\.ts$/.test(path));
  for (const file of files.map((path) => path.slice(area.length + 1))) {
    const from = getPart(file);
    if (from === undefined) {
      problems.push(`${area}/${file} is in no layer of scripts/structure.mjs`);
      continue;
    }
    const importedFiles = toAreaPaths([...listImports(`${area}/${file}`), ...listLazyImports(`${area}/${file}`)]);
    imports.set(file, importedFiles);
    for (const target of importedFiles) {
      const to = getPart(target);
      if (to === undefined || to === from) continue;
      if (layerByPart.get(to) >= layerByPart.get(from))
        problems.push(`${area}/${file} imports ${target}: ${from} is not above ${to}`);
    }
  }
  for (const cycle of findCycles(imports)) problems.push(`${area}: ${cycle.join(' > ')} import each other in a circle`);
}

/** The most files a folder of `src` may have, not counting tests, migrations and folders named `testing`. */
const maxFiles = 35;
const folderSizes = new Map();
for (const file of listSources('src').filter((file) => !/\.test(-\w+)?\.ts|\/(?:migrations|testing)\//.test(file)))
  folderSizes.set(posix.dirname(file), (folderSizes.get(posix.dirname(file)) ?? 0) + 1);
for (const [folder, size] of folderSizes)
  if (size > maxFiles) problems.push(`${folder} has ${size} files, more than ${maxFiles}: give it inner folders`);
for (const folder of folderSizes.keys())
  if (/^src\/web\/[^/]+$/.test(folder) && listSpecsFor([`${folder}/Page.tsx`]).length === 0)
    problems.push(`${folder} has no end-to-end test of its name: choose one in scripts/changed.mjs`);

const chartsFile = join(root, 'docs/architecture.md');
const text = readFileSync(chartsFile, 'utf8');
const redrawnText = drawCharts(text);
if (process.argv.includes('--draw')) writeFileSync(chartsFile, redrawnText);
else if (redrawnText !== text)
  problems.push('docs/architecture.md shows another order of imports: draw it with npm run structure');
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Returns import cycles: one for each way back to a file being visited. */
function findCycles(imports) {
  const cycles = [];
  const checkedFiles = new Set();
  const path = [];
  const visitFile = (file) => {
    if (path.includes(file)) return cycles.push([...path.slice(path.indexOf(file)), file]);
    if (checkedFiles.has(file)) return;
    path.push(file);
    for (const target of imports.get(file) ?? []) visitFile(target);
    path.pop();
    checkedFiles.add(file);
  };
  for (const file of imports.keys()) visitFile(file);
  return cycles;
}

/**
 * Returns the text of docs/architecture.md with a Mermaid chart for each area between its markers: a
 * box for each layer, the highest first.
 */
function drawCharts(text) {
  let drawn = text;
  for (const [area, layers] of Object.entries(areas)) {
    const chartBoxes = layers.map((parts, level) => `  layer${level}["${parts.join('<br>')}"]`).toReversed();
    const chartArrows = layers
      .slice(1)
      .map((_, level) => `  layer${level + 1} --> layer${level}`)
      .toReversed();
    const chart = ['```mermaid', 'flowchart TD', ...chartBoxes, ...chartArrows, '```'].join('\n');
    drawn = drawn.replace(
      new RegExp(`(<!-- order of ${area} -->\n)[\\s\\S]*?(<!-- end -->)`),
      (_, start, end) => `${start}${chart}\n${end}`,
    );
  }
  return drawn;
}
