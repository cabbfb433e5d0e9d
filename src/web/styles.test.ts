// Every class of the stylesheets is used, and no two rules say the same.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const web = import.meta.dirname;
const read = (file: string) => readFileSync(join(web, file), 'utf8');
/** The stylesheets, without their comments. */
const sheets = globSync('**/*.css', { cwd: web }).map((file) => ({
  file,
  css: read(file).replace(/\/\*.*?\*\//gs, ''),
}));
const components = globSync('**/*.tsx', { cwd: web }).map((file) => ({ file, code: read(file) }));
const sharedFile = 'ui/theme/shared.css';

/** Returns the classes in the selectors of a stylesheet. */
const listClasses = (css: string) =>
  new Set(
    [...css.replace(/:(?:global|where)\(.*?\)/g, '').matchAll(/[^{};]+(?=\{)/g)].flatMap(([selector]) =>
      [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = '']) => name),
    ),
  );

/** For `styles[name]`, which may be any class. */
const any = '*';

/** Returns the classes of this module that components use. */
const listUses = (file: string) =>
  components.flatMap(({ file: component, code }) =>
    [...code.matchAll(/import (\w+) from '(\..*?\.module\.css)'/g)]
      .filter(([, , path = '']) => join(component, '..', path) === file)
      .flatMap(([, name]) => [...code.matchAll(new RegExp(`\\b${name}(?:\\.(\\w+)|\\[)`, 'g'))])
      .map(([, used = any]) => used),
  );

/** The shared classes that rules and components name. */
const named = [
  ...sheets.flatMap(({ css }) => [...css.matchAll(/composes: ([\w\s-]+) from global/g)]),
  ...components.flatMap(({ code }) => [...code.matchAll(/className="([^"]+)"/g)]),
].flatMap(([, names = '']) => names.split(/\s+/));

test('a component uses each class of each stylesheet', () => {
  expect(sheets.length).toBeGreaterThan(50);
  const unused = sheets
    .filter(({ file }) => file.endsWith('.module.css'))
    .flatMap(({ file, css }) => {
      const uses = listUses(file);
      if (uses.includes(any)) return [];
      return [...listClasses(css)].filter((name) => !uses.includes(name)).map((name) => `${file}: ${name}`);
    });
  expect(unused).toEqual([]);
});

test('each shared class is used, and each that is named exists', () => {
  const shared = [...listClasses(read(sharedFile))];
  expect(shared.filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => !shared.includes(name))).toEqual([]);
});

test('no two rules have the same four declarations or more', () => {
  const files = new Map<string, string[]>();
  for (const { file, css } of sheets)
    for (const [, block = ''] of css.matchAll(/\{([^{}]*)/g)) {
      // What follows the last semicolon is the selector of a rule in this one.
      const declarations = block
        .split(';')
        .slice(0, -1)
        .map((one) => one.trim().replace(/\s+/g, ' '));
      const key = declarations.toSorted().join('; ');
      if (declarations.length > 3) files.set(key, [...(files.get(key) ?? []), file]);
    }
  expect(files.size).toBeGreaterThan(200);
  expect([...files].filter(([, places]) => places.length > 1)).toEqual([]);
});
