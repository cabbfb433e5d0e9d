// One word for one thing on all screens: question, park and place.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Words that no screen says, with the word that it says instead. */
const banned: [word: RegExp, instead: string][] = [
  [/\b(?:web)?sites?\b/i, 'park, or address'],
  [/\bsections?\b/i, 'question'],
  [/\b(?:facility|facilities|venues?)\b/i, 'place'],
];

/** Where they are said all the same: files or folders, the text if it is only one, and the reason. */
const exceptions: { in: string; text?: string; reason: string }[] = [
  { in: 'shared/law/', reason: 'the words of the law and of the HSE' },
  { in: 'shared/people/retention.ts', text: 'Limitation Act 1980', reason: 'sections of an act' },
  { in: 'shared/people/identifiers.ts', text: 'ace am amber', reason: 'a list of words that are no names' },
  { in: 'shared/checklist-templates/', text: 'site licence', reason: 'the name of a licence' },
  { in: 'shared/api.ts', reason: 'describes the API, on no screen' },
  { in: 'shared/checklists.ts', reason: 'specified: administrators build checklists from typed sections' },
  { in: 'web/checklists/builder/', reason: 'specified: administrators build checklists from typed sections' },
  { in: 'web/checklists/builder/sectionNames.ts', text: 'Site (one of the parks)', reason: 'specified: the type site' },
  { in: 'web/investigations/Findings.tsx', reason: 'the parts of an investigation, which are no questions' },
];

type Node = { type?: string; [name: string]: unknown };

/** Yields what a file may show: the texts in its markup, and those that begin like a sentence or have several words. */
function* listTexts(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const one of node) yield* listTexts(one);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const { type, ...parts } = node as Node;
  if (type === 'ImportDeclaration' || type === 'ExportAllDeclaration') return;
  if (type === 'JSXAttribute' && /^(?:className|style|id|key|d|to|href)$/.test(String(Object(parts.name).name))) return;
  const text =
    type === 'JSXText' || type === 'Literal'
      ? parts.value
      : type === 'TemplateElement'
        ? Object(parts.value).cooked
        : undefined;
  if (typeof text === 'string' && (type === 'JSXText' || /\s/.test(text.trim()) || /^\p{Lu}\p{Ll}/u.test(text)))
    yield text.trim().replace(/\s+/g, ' ');
  for (const part of Object.values(parts)) yield* listTexts(part);
}

test('screens say question, park and place', () => {
  const files = globSync('{web,shared,server/guests}/**/*.{ts,tsx,json}', { cwd: root }).filter(
    (file) => !/\.test\.|test-helper/.test(file),
  );
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) => {
    const code = readFileSync(join(root, file), 'utf8');
    const tree = parseAst(file.endsWith('.json') ? `export default ${code}` : code, {
      lang: file.endsWith('.tsx') ? 'tsx' : 'ts',
    });
    return [...listTexts(tree)].flatMap((text) =>
      banned.filter(([word]) => word.test(text)).map(([, instead]) => ({ file, text, instead })),
    );
  });
  const isException =
    ({ file, text }: (typeof found)[number]) =>
    (one: (typeof exceptions)[number]) =>
      file.startsWith(one.in) && text.includes(one.text ?? '');
  expect(found.filter((hit) => !exceptions.some(isException(hit)))).toEqual([]);
  // An exception that nothing needs is out of date.
  expect(exceptions.filter((one) => !found.some((hit) => isException(hit)(one)))).toEqual([]);
});
