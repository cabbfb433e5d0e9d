import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const sources = globSync('**/*.tsx', { cwd: root }).map(
  (path) => [path, readFileSync(`${root}/${path}`, 'utf8')] as const,
);
const dialogs = sources.flatMap(([path, text]) =>
  [...text.matchAll(/<ConfirmDialog\b.*?<\/ConfirmDialog>|useConfirmed<.*?\}\);/gs)].map(
    ([dialog]) => [path, dialog] as const,
  ),
);

test('no confirmation says both that a deletion cannot be undone and that an Admin can restore it', () => {
  expect(dialogs.length).toBeGreaterThan(10);
  const both = dialogs.filter(([, dialog]) => /be\s+undone/.test(dialog) && /isRestorable|restore/.test(dialog));
  expect(both).toEqual([]);
  expect(sources.filter(([, text]) => /restore it for 30/.test(text)).map(([path]) => path)).toEqual([
    'ui/dialogs/RestorableNote.tsx',
  ]);
});
