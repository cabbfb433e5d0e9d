import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import cases from '#shared/law/rules/riddor-2013-v1.cases.json' with { type: 'json' };
import { riddor2013v2Cases } from '#shared/law/rules/shipped-cases.ts';
import { createTestFolder } from '../testing/folder.ts';
import { runProgram } from '../testing/process.ts';

const folder = createTestFolder();

const write = (name: string, content: object) => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};
const law = (...args: string[]) => runProgram([join(import.meta.dirname, 'law.ts'), ...args], { DATA_DIR: folder });

const fractureCase = cases.vectors.find(
  ({ expect }) => expect.outcome === 'reportable' && expect.regulation?.[0] === '4(1)',
);

test('law check prints how many test cases of each file pass, and exits with 1 if one fails', async () => {
  const validFile = write('good.json', { ...cases, vectors: [fractureCase] });
  const failingCase = { ...fractureCase, id: 'wrong', expect: { outcome: 'record' } };
  const invalidFile = write('bad.json', { ...cases, vectors: [fractureCase, failingCase] });

  const { code, output } = await law('check', invalidFile, validFile);
  expect(output).toContain(`riddor-2013-v1, its own cases: ${cases.vectors.length} of ${cases.vectors.length}\n`);
  const { length } = riddor2013v2Cases.vectors;
  expect(output).toContain(`riddor-2013-v2, its own cases: ${length} of ${length}\n`);
  expect(output).toMatch(/wrong .*\n {4}outcome: expected "record", got "reportable"\n.*bad\.json: 1 of 2\n/);
  expect(output).toContain(`${validFile}: 1 of 1\n`);
  expect(code).toBe(1);

  const missing = await law('check', 'nowhere.json');
  expect(missing.code).toBe(1);
  expect(missing.output).not.toContain('    at ');
});
