// `node scripts/structure.mjs`: checks that imports point one way, and exits with 1 where one does
// not; part of `npm run lint`. `node scripts/structure.mjs --draw` (`npm run structure`) also draws
// the order into docs/architecture.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listImports, listSources } from './imports.mjs';
import { root } from './run.mjs';

/**
 * Lowest first. A part may import from lower layers and from itself. Names are paths within the
 * area: a folder, or a top-level file without its extension.
 */
const areas = {
  'src/server': [
    ['errors', 'clock', 'event-loop', 'hash', 'ids', 'version'],
    ['config'],
    ['workers', 'db'],
    ['auth', 'files', 'pdf', 'law/rule-sets', 'access-requests/record-search'],
    ['http'],
    ['notifications'],
    ['uploads', 'users', 'pages', 'reports/filter', 'packs/store'],
    ['law', 'schedules/due-checks'],
    ['audits'],
    ['reports', 'checklists', 'schedules'],
    ['activity', 'deletions', 'retention', 'overview', 'access-requests'],
    ['backup', 'exports', 'maintenance', 'uploads-access'],
    ['packs'],
    ['app'],
    ['start'],
    ['main', 'cli', 'testing'],
  ],
  'src/web': [
    ['newUuid', 'operator', 'screens', 'ui/theme', 'offline'],
    ['ui/feedback', 'ui/forms', 'ui/loading'],
    ['ui/navigation'],
    ['ui/dialogs'],
    ['client'],
    ['drafts', 'exports', 'photos'],
    ['outbox', 'signature'],
    ['auth', 'activity', 'law', 'schedules', 'notifications', 'packs'],
    ['reports', 'checklists', 'audits', 'users', 'deletions', 'overview'],
    ['admin', 'shell'],
    ['routes'],
    ['App'],
    ['main', 'worker'],
    ['start'],
  ],
};

const problems = [];
const importEdges = {};
for (const [area, layers] of Object.entries(areas)) {
  const layerByPart = new Map(layers.flatMap((parts, level) => parts.map((part) => [part, level])));
  const getPart = (path) => {
    const [first = '', second = ''] = path.replace(/\.\w+$/, '').split('/');
    return [`${first}/${second}`, first].find((part) => layerByPart.has(part));
  };
  const usedParts = new Set();
  const imports = new Map();
  // A test may use whatever it needs.
  const files = listSources(area).filter((path) => !/\.test(-\w+)?\.ts$/.test(path));
  for (const file of files.map((path) => path.slice(area.length + 1))) {
    const from = getPart(file);
    if (from === undefined) {
      problems.push(`${area}/${file} is in no layer of scripts/structure.mjs`);
      continue;
    }
    const importedParts = listImports(`${area}/${file}`)
      .filter((path) => path.startsWith(`${area}/`))
      .map((path) => path.slice(area.length + 1));
    imports.set(file, importedParts);
    for (const target of importedParts) {
      const to = getPart(target);
      if (to === undefined || to === from) continue;
      usedParts.add(`${from}>${to}`);
      if (layerByPart.get(to) >= layerByPart.get(from))
        problems.push(`${area}/${file} imports ${target}: ${from} is not above ${to}`);
    }
  }
  for (const cycle of findCycles(imports)) problems.push(`${area}: ${cycle.join(' > ')} import each other in a circle`);
  importEdges[area] = usedParts;
}

if (process.argv.includes('--draw')) draw();
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
 * A Mermaid chart for each area: a box for each layer, the highest first, between the markers of
 * docs/architecture.md.
 */
function draw() {
  const file = join(root, 'docs/architecture.md');
  let text = readFileSync(file, 'utf8');
  for (const [area, layers] of Object.entries(areas)) {
    const chartBoxes = layers.map((parts, level) => `  layer${level}["${parts.join('<br>')}"]`).toReversed();
    const chartArrows = layers
      .slice(1)
      .map((_, level) => `  layer${level + 1} --> layer${level}`)
      .toReversed();
    const chart = ['```mermaid', 'flowchart TD', ...chartBoxes, ...chartArrows, '```'].join('\n');
    text = text.replace(
      new RegExp(`(<!-- order of ${area} -->\n)[\\s\\S]*?(<!-- end -->)`),
      (_, start, end) => `${start}${chart}\n${end}`,
    );
  }
  writeFileSync(file, text);
}
