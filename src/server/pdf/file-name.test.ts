import { expect, test } from 'vitest';
import naughty from '../../../fixtures/naughty-strings.json' with { type: 'json' };
import { createPdfFileName } from './file-name.ts';

test('the file name of a PDF joins the given parts, without forbidden characters', () => {
  expect(createPdfFileName('ACC-2026-0013', 'Lido Beach')).toBe('ACC-2026-0013 Lido Beach.pdf');
  expect(createPdfFileName('Gwirio’r siglenni: 1/2')).toBe('Gwirio’r siglenni 1 2.pdf');
  expect(createPdfFileName('../../etc/passwd')).toBe('etc passwd.pdf');
  expect(createPdfFileName(' ... ')).toBe('Document.pdf');
  expect(createPdfFileName('é'.repeat(300))).toBe(`${'é'.repeat(120)}.pdf`);
});

test('any title becomes a PDF file name that every file system accepts', () => {
  for (const text of naughty)
    expect(createPdfFileName(text)).toMatch(/^[^.\s\p{Cc}\\/:*?"<>|][^\p{Cc}\\/:*?"<>|]*\.pdf$/u);
});
