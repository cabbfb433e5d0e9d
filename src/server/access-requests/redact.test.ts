import { expect, test } from 'vitest';
import { redactText } from '#shared/people/redact.ts';
import { redactAll } from './redact.ts';

test('words are blacked out ignoring case and accents', () => {
  expect(redactText('Siân and SIAN, ﬁne Sian', ['sian'])).toBe('████ and ████, ﬁne ████');
  expect(redactText('Ann (Al) Lee, A.n+ Lee, Annn Lee', ['a.n+ lee'])).toBe('Ann (Al) Lee, ████ ███, Annn Lee');
  expect(redactText('Mair\n  JONES (😀) mair', ['mair jones'])).toBe('████\n  █████ (😀) mair');
});

test('blacking out words in 600,000 characters of text lets other requests run in between', async () => {
  const texts = Array.from({ length: 40 }, (_, at) => ({ text: `${at} ${'Dŵr oer, Siân. '.repeat(1000)}` }));
  let isOver = false;
  let turns = 0;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const redactedTexts = await redactAll(texts, ['sian']);
  isOver = true;
  expect(turns).toBeGreaterThan(1);
  expect(redactedTexts.at(-1)?.text).toMatch(/^39 Dŵr oer, ████\. /);
  expect(texts[0]?.text).toContain('Siân');
});
