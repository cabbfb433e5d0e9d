// Lists of records are written with one component, `RecordList`, and one hook, `usePages`.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contract } from '#shared/api.ts';

/** Files that show what RecordList shows, each with the reason. RecordList would make each of them longer. */
const exceptions: Record<string, string> = {
  'investigations/InvestigationActions.tsx': 'no list: a form that asks for one of the folders',
  'overview/OverviewPage.tsx':
    'one request for the whole page; its list of lessons has a heading, and is left out if empty',
  'reports/NewAuditForm.tsx': 'no list: a form that asks for one of the folders',
  'ui/feedback/OpenInAnotherTab.tsx': 'no list: it stands in the place of a form',
  'users/UsersTab.tsx': 'its list is one; what to do beside the only user is shown together with it',
};

const root = import.meta.dirname;
const owners = ['ui/navigation/RecordList.tsx', 'client/usePages.ts'];

/** Whether a file is a list of records that does not leave its states and pages to RecordList. */
function writesStates(code: string): boolean {
  const imports = (file: string) => code.includes(`/${file}';`);
  const areBothShown = imports('QueryState.tsx') || (imports('Loading.tsx') && imports('ErrorBox.tsx'));
  return (
    imports('EmptyState.tsx') ||
    imports('ShowMore.tsx') ||
    /\buseInfiniteQuery\b/.test(code) ||
    (areBothShown && /\blength === 0\b/.test(code))
  );
}

test('lists of records leave loading, errors, what is empty and further pages to one component', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.includes('.test'));
  expect(files.length).toBeGreaterThan(300);
  const found = files.filter((file) => writesStates(readFileSync(`${root}/${file}`, 'utf8')));
  expect(found.filter((file) => !owners.includes(file)).sort()).toEqual(Object.keys(exceptions).sort());
});

test('each list that can be exported has the buttons for it on a screen', () => {
  const exported = Object.keys(contract).flatMap((name) => /^export(.+)/.exec(name)?.[1]?.toLowerCase() ?? []);
  const code = globSync('**/*.tsx', { cwd: root }).map((file) => readFileSync(`${root}/${file}`, 'utf8'));
  const buttons = code.flatMap((text) => [...text.matchAll(/<ExportButtons\s+list="(\w+)"/g)]).map(([, list]) => list);
  expect([...new Set(buttons)].toSorted()).toEqual(exported.toSorted());
});

test.each([
  "import { EmptyState } from '../ui/feedback/EmptyState.tsx';",
  "import { ShowMore } from '../ui/navigation/ShowMore.tsx';",
  "import { useInfiniteQuery } from '@tanstack/react-query';",
  "import { QueryState } from '../client/QueryState.tsx';\n{data?.length === 0 && <p>None</p>}",
  "import { ErrorBox } from './ErrorBox.tsx';\nimport { Loading } from './Loading.tsx';\nif (data.length === 0) return;",
])('a file that writes a state of a list itself is found: %s', (code) => {
  expect(writesStates(code)).toBe(true);
});
