import { expect, test } from 'vitest';
import { parseTelephone } from './telephone.ts';

test.each([
  '07700900123',
  ' 07700 900 123 ',
  '07700-900-123',
  '(07700) 900123',
  '+447700900123',
  '+44 7700 900123',
  '+44 (0)7700 900123',
  '0044 7700 900 123',
  '+44\u00a07700\u2011900123',
])('the telephone number %j becomes eleven digits', (text) => expect(parseTelephone(text)).toBe('07700900123'));

test.each(['', '0770090012', '+33 7700 900123', '447700900123', '07700 900 1234', '+44 7700 9001234', 'none'])(
  'the text %j, which is no telephone number, stays unchanged',
  (text) => expect(parseTelephone(text)).toBe(text),
);
