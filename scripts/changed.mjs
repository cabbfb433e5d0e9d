// Lists the files that differ from the main branch, and the tests worth running for them.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listImports, listSources } from './imports.mjs';
import { root } from './run.mjs';

const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/**
 * Tests that start separate servers or repeat thousands of times. They run only in the full `npm
 * test`.
 */
const slowTests = [
  'access',
  'backup',
  'crash',
  'dev',
  'interruption',
  'law/deadlines',
  'law/law',
  'multi-instance',
  'naughty-strings',
  'outages',
  'power-cut',
  'retention/replay',
  'retention/retention',
  'start',
  'upgrade',
].map((name) => `${name}.test.ts`);

/** The end-to-end test that covers most of a folder of `src/web`, if it has another name. */
const specs = {
  admin: 'users',
  auth: 'signing-in',
  client: 'signing-in',
  database: 'reload',
  deletions: 'users',
  drafts: 'reload',
  forms: 'typed-input',
  law: 'riddor',
  notifications: 'follow-up',
  offline: 'reload',
  parks: 'places',
  people: 'people-picker',
  shell: 'signing-in',
  ui: 'audits',
};

/** Returns the files that differ from the point where the branch left main, committed or not. */
export function listChangedFiles() {
  const base = ['origin/main', 'main'].flatMap((branch) => {
    try {
      return [git('merge-base', 'HEAD', branch).trim()];
    } catch {
      return [];
    }
  })[0];
  const names = git('diff', '--name-only', base ?? 'HEAD') + git('ls-files', '--others', '--exclude-standard');
  return names.split('\n').filter((name) => name && existsSync(join(root, name)));
}

/**
 * Returns the end-to-end test files for these changed files: the changed ones, and one per folder
 * of `src/web`.
 */
export function listSpecsFor(files) {
  const chosenSpecs = files.flatMap((file) => {
    if (/^e2e\/[^/]+\.spec\.ts$/.test(file)) return [file];
    const [, folder] = /^src\/web\/([^/]+)\//.exec(file) ?? [];
    return folder ? [`e2e/${specs[folder] ?? folder}.spec.ts`] : [];
  });
  return [...new Set(chosenSpecs)].filter((spec) => existsSync(join(root, spec)));
}

/**
 * Nearly every file imports these, or these import nearly every file, so their imports are ignored
 * when tests are chosen.
 */
const widelyImportedFiles = new Set([
  'src/server/app.ts',
  'src/server/db/schema.ts',
  'src/server/http/handler-context.ts',
  'src/server/start.ts',
  'src/server/testing/factories.ts',
  'src/server/testing/server.ts',
  'src/shared/api.ts',
  'src/shared/contract.ts',
  'src/web/routes.ts',
]);

/** Test files to run at most: they take about half a minute. */
const maxTests = 20;

/**
 * Returns the nearest tests for these files, and how many were left out: those that import them,
 * other than through a widely imported file, and those in the same folder as them or as their
 * importers. Slow tests are only returned if they changed.
 */
export function listTestsFor(files) {
  const importers = new Map();
  const sources = listSources('src');
  for (const file of sources)
    for (const target of listImports(file)) importers.set(target, [...(importers.get(target) ?? []), file]);
  // migrate.ts reads its folder.
  for (const file of sources.filter((file) => /\/db\/migrations\/\d{3}-[\w-]+\.ts$/.test(file)))
    importers.set(file, [...(importers.get(file) ?? []), 'src/server/db/migrate.ts']);
  // The number of imports between a file and a changed one.
  const distances = new Map(files.map((file) => [file, 0]));
  for (const [file, distance] of distances)
    for (const importer of widelyImportedFiles.has(file) ? [] : (importers.get(file) ?? []))
      if (!distances.has(importer)) distances.set(importer, distance + 1);
  const folders = new Map();
  for (const [file, distance] of distances) {
    const folder = posix.dirname(file);
    if (distance < 2 && !widelyImportedFiles.has(file) && !folders.has(folder)) folders.set(folder, distance + 1);
  }
  const getDistance = (test) => Math.min(distances.get(test) ?? Infinity, folders.get(posix.dirname(test)) ?? Infinity);
  // `shared/reports.ts` concerns the folders `reports/` most.
  const changedSubjects = files.map((file) => `/${posix.basename(file).replace(/\.tsx?$/, '')}/`);
  const getRank = (test) => getDistance(test) - (changedSubjects.some((subject) => test.includes(subject)) ? 1 : 0);
  const isSlow = (test) => slowTests.some((name) => test.endsWith(`/${name}`)) && !files.includes(test);
  const tests = sources
    .filter((file) => file.endsWith('.test.ts') && getDistance(file) < Infinity && !isSlow(file))
    .toSorted((a, b) => getRank(a) - getRank(b));
  return { tests: tests.slice(0, maxTests), leftOut: Math.max(0, tests.length - maxTests) };
}
