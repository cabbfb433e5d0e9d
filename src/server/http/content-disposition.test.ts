import { expect, test } from 'vitest';
import { createContentDisposition } from './content-disposition.ts';

test('a file name with accents is sent in UTF-8, and without accents for old programs', () => {
  expect(createContentDisposition('Gwirio’r tŷ (2).pdf')).toBe(
    `inline; filename="Gwirio_r ty (2).pdf"; filename*=UTF-8''Gwirio%E2%80%99r%20t%C5%B7%20%282%29.pdf`,
  );
});

test('no file name can add a header', () => {
  const header = createContentDisposition('a"; x\r\nSet-Cookie: b\\.pdf');
  expect(header).toMatch(/^[\x20-\x7e]+$/);
  expect(header.match(/"/g)).toHaveLength(2);
});
