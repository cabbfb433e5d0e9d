import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { administration, isForReviewers, listFilesNotStored, screens } from './screens.ts';

test('the list of administration has each of its screens once, and no other path', () => {
  const listed = administration.flatMap(({ paths }) => paths);
  const paths = screens.map(({ path }) => path);
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.filter((path) => !paths.includes(path))).toEqual([]);
  expect(paths.filter((path) => path.startsWith('/admin') && !listed.includes(path))).toEqual([]);
});

/** Screens of reviewers outside the administration, by what leads to them. */
const leadingTo: Record<string, string[]> = {
  'shell/NavigationBar.tsx': ['/get-reports', '/overview'],
  'reports/list/ReportsPage.tsx': ['/investigations', '/messages'],
  'investigations/InvestigationsPage.tsx': ['/lessons/new'],
  'overview/links.ts': ['/overview/audits', '/overview/not-ready'],
};

test('each screen of reviewers is in the list of administration, or another screen leads to it', () => {
  const ofReviewers = screens.filter((screen) => isForReviewers(screen) && !screen.path.includes(':'));
  const listed = [...administration.flatMap(({ paths }) => paths), ...Object.values(leadingTo).flat()];
  expect(ofReviewers.map(({ path }) => path).toSorted()).toEqual(listed.toSorted());
  for (const [file, paths] of Object.entries(leadingTo)) {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    expect(paths.filter((path) => !new RegExp(`['"\`]${path}\\b`).test(source))).toEqual([]);
  }
});

/** What no link of the navigation bar is marked for. */
const ofNoLink: Record<string, string[]> = {
  'it has a place of its own in the bar': ['outbox', 'notifications'],
  'it is in the menu of the user': ['notification-settings', 'sessions', 'second-factors'],
  'several screens lead to it': ['places', 'report-hazard', 'coming-checks'],
};

test('each screen marks a link of the navigation bar, or there is a reason why not', () => {
  const source = readFileSync(join(import.meta.dirname, 'shell/NavigationBar.tsx'), 'utf8');
  const links = [...source.matchAll(/\bto(?:: |=)['"]\/([\w-]+)['"]/g)].map(([, area]) => area);
  const also = [...source.matchAll(/also: \[(.*?)\]/gs)].flatMap(([, list = '']) => list.match(/[\w-]+/g) ?? []);
  const areas = screens.filter(({ access }) => access !== 'anyone').map(({ path }) => path.split('/')[1]);
  expect([...new Set(areas)].toSorted()).toEqual(
    [...new Set([...links, ...also, ...Object.values(ofNoLink).flat()])].toSorted(),
  );
});

/** Parts of screens that are loaded when they are first shown, and that staff may need without a connection. */
const partsStored = [
  ...['audits/AuditFollowUp.tsx', 'audits/folders/FolderDialog.tsx', 'audits/open/OpenAudits.tsx'],
  ...['auth/FactorNotice.tsx', 'auth/SecondStepForm.tsx', 'auth/SessionDialogs.tsx', 'auth/SharedDeviceLogin.tsx'],
  ...['checklists/FailureFields.tsx', 'outbox/OutboxChip.tsx', 'outbox/WaitingNotice.tsx', 'schedules/DueNow.tsx'],
  ...['shell/NavigationBar.tsx', 'shell/NotFoundPage.tsx', 'shell/SignedOutScreen.tsx'],
];

test('for each part of a screen of staff, it is said whether their devices store it', () => {
  const root = import.meta.dirname;
  const notStored = listFilesNotStored().map((file) => join(root, file));
  expect(notStored.filter((file) => !existsSync(file))).toEqual([]);
  const files = new Set(['start.ts', ...screens.map(({ file }) => file)].map((file) => join(root, file)));
  const parts = new Set<string>();
  for (const file of files) {
    if (notStored.includes(file) || !existsSync(file)) files.delete(file);
    else
      for (const [, isPart, path = ''] of readFileSync(file, 'utf8').matchAll(importPattern)) {
        files.add(join(file, '..', path));
        if (isPart && !notStored.includes(join(file, '..', path))) parts.add(join(file, '..', path));
      }
  }
  expect(files.size).toBeGreaterThan(300);
  expect([...parts].toSorted()).toEqual(partsStored.map((file) => join(root, file)));
});
const importPattern = /(?:from |^import |(lazy(?:Component|Screen)\(\s*\(\) => )?import\()'(\..+?)'/gm;
