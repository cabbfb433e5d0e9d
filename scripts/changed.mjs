// What a change touches: the files that differ from the main branch, and the tests worth running for them.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
  'law/law',
  'multi-instance',
  'naughty-strings',
  'outages',
  'power-cut',
  'start',
  'upgrade',
].map((name) => `${name}.test.ts`);

/** For each folder of `src/web`, the end-to-end tests that cover most of it. */
const specs = {
  admin: 'users',
  activity: 'users',
  audits: 'audits',
  auth: 'signing-in',
  checklists: 'checklists',
  client: 'signing-in',
  deletions: 'users',
  drafts: 'reload',
  exports: 'exports',
  law: 'riddor',
  offline: 'reload',
  outbox: 'outbox',
  photos: 'photos',
  reports: 'reports',
  shell: 'signing-in',
  signature: 'signature',
  ui: 'audits',
  users: 'users',
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

/** Returns the end-to-end test files for these changed files: the changed ones, and one per folder of `src/web`. */
export function listSpecsFor(files) {
  const chosen = files.flatMap((file) => {
    if (/^e2e\/[^/]+\.spec\.ts$/.test(file)) return [file];
    const [, folder] = /^src\/web\/([^/]+)\//.exec(file) ?? [];
    return folder && specs[folder] ? [`e2e/${specs[folder]}.spec.ts`] : [];
  });
  return [...new Set(chosen)].filter((spec) => existsSync(join(root, spec)));
}

/** Returns Vitest's arguments for the tests that import these files, without the slow ones unless they changed. */
export function vitestArgumentsFor(files) {
  const excluded = slowTests.filter((name) => !files.some((file) => file.endsWith(`/${name}`)));
  return [
    'related',
    '--run',
    '--passWithNoTests',
    ...excluded.flatMap((name) => ['--exclude', `**/${name}`]),
    ...files,
  ];
}
