import { expect, test } from 'vitest';
import copied from '../../fixtures/telephone.json' with { type: 'json' };
import { ParkSettingsChange } from './park-settings.ts';
import { NewAccessRequest } from './people/access-requests.ts';
import { reportFields } from './reports/report-fields.ts';
import { normaliseReportSearch } from './reports/report-search.ts';
import { getTelephoneUri, parseTelephone } from './telephone.ts';

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
  '07700\u2212900\u2212123',
  '07700\u00b7900\u2027123',
  'tel:07700%20900123',
  'tel:%2B44%207700%20900123',
])('the telephone number %j becomes eleven digits', (text) => expect(parseTelephone(text)).toBe('07700900123'));

test.each(copied)('a telephone number $why is understood in a report, a search and a link', ({ typed, stored }) => {
  expect(reportFields.contactNumber.schema.parse(typed)).toBe(stored);
  expect(normaliseReportSearch(`slip ${typed}`)).toBe(`slip ${stored}`);
  expect(getTelephoneUri(typed)).toBe(`tel:${stored}`);
});

test('a link is understood in a search, with its spaces and plus sign', () =>
  expect(normaliseReportSearch('slip tel:%2B44%207700%20900123')).toBe('slip 07700900123'));

test('no character that nobody sees makes a telephone number wrong', () => {
  const characters = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /[\p{Default_Ignorable_Code_Point}\p{Cf}]/u.test(character));
  expect(characters.length).toBeGreaterThan(4000);
  const wrong = characters.filter(
    (character) => parseTelephone(`${character}07700${character}900123`) !== '07700900123',
  );
  expect(wrong).toEqual([]);
});

test.each(['', '0770090012', '+33 7700 900123', '447700900123', '07700 900 1234', '+44 7700 9001234', 'none'])(
  'the text %j, which is no telephone number, stays unchanged',
  (text) => expect(parseTelephone(text)).toBe(text),
);

const withExtension = [
  '07700 900123 ext 12',
  '07700900123 Ext. 12',
  '07700 900123 extension: 1234',
  '07700 900123 x12',
  '07700 900123 #12',
  'tel:+447700900123;ext=12',
  '07700 900123 \u202aext 12\u202c',
  '07700 900123 (ext 12)',
  '07700 900123 - ext 12',
  '07700 900123 (Ext - 12)',
  '07700 900123 extension number 12',
  '07700 900123 ext. no. 12',
  '07700 900123 [x12]',
  '07700 900123 option 2',
  '07700900123,,12',
  '07700900123p12',
];
const park = 'Lido Beach';
const request = { name: 'Carys', spellings: [], receivedOn: '2026-06-01' };
const fields: [string, (number: string) => { success: boolean; error?: { issues: { message: string }[] } }][] = [
  ['a report', (number) => reportFields.contactNumber.schema.safeParse(number)],
  ['the settings of a park', (telephone) => ParkSettingsChange.safeParse({ park, telephone })],
  ['an access request', (number) => NewAccessRequest.safeParse({ ...request, number })],
];
test.each(fields)('%s refuses a number with an extension in words', (_, parse) => {
  expect(parse('07700 900123').success).toBe(true);
  for (const number of withExtension)
    expect(parse(number).error?.issues).toMatchObject([
      { message: expect.stringMatching(/^Enter the number without the extension/) },
    ]);
});

test.each([
  ['999', 'tel:999'],
  ['+44 (0)1745 123-456', 'tel:01745123456'],
  ['+33 1 44 55 66 77', 'tel:+33144556677'],
  ['999 or 112', 'tel:999'],
  ['01745 123456 / 01745 654321', 'tel:01745123456'],
  ['01745/12345', 'tel:0174512345'],
  ['Reception: 01745 123456, then 2', 'tel:01745123456'],
  ['+44 (0)1745 123456 (ask for Siân)', 'tel:01745123456'],
])('the number %s is rung by %s', (number, uri) => expect(getTelephoneUri(number)).toBe(uri));
