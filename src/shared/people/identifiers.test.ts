import { describe, expect, test } from 'vitest';
import { createIdentifierFinder, getSentence, replaceIdentifiers } from './identifiers.ts';

const find = createIdentifierFinder({
  names: [
    'Siân Ŵyn Jones',
    'Will Hartley',
    'Rose Smith',
    "Niamh O'Brien",
    'Anne-Marie de la Cruz',
    '李小龍',
    'Jo Li',
    'Al Van San',
    'Di del Bin',
  ],
  whole: ['sjones', 'k.davies', 'admin'],
  places: ['Plot 229', 'Golden Sands'],
});

const list = (text: string) => find(text).map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`);

describe('what is found in a text that is released without names', () => {
  test.each<[string, ...string[]]>([
    // Each word of a name, in any case, also possessive and plural.
    ['Jones fell', 'name: Jones'],
    ['then sian fell over', 'name: sian'],
    ['SIÂN WYN JONES fell', 'name: SIÂN WYN JONES'],
    ['Siân Ŵyn Jones’s arm', 'name: Siân Ŵyn Jones'],
    ['the Hartleys, and Hartley', 'name: Hartleys', 'name: Hartley'],
    ['OBrien, O’Brien and o‘brien', 'name: OBrien', 'name: O’Brien', 'name: o‘brien'],
    ['Marie slipped, and so did ANNE', 'name: Marie', 'name: ANNE'],
    ['Jo\u00adnes and Jo\u200bnes', 'name: Jo\u00adnes', 'name: Jo\u200bnes'],
    ['昨日李小龍跌倒', 'name: 李小龍'],
    ['Ask Jo.', 'name: Jo'],
    ['She fell. Rose said so', 'name: Rose'],
    // English words and particles only with a capital letter; articles and titles never.
    ['A rose will grow by the smith'],
    ['Will saw Rose', 'name: Will', 'name: Rose'],
    ['de la The Of al van del di, and the San of it', 'name: San'],
    ['Al fell, Di and Van saw it; so did del', 'name: Al', 'name: Di', 'name: Van'],
    // Words written together, with digits or with other marks.
    ['Jones2, 2Jones and jones_2', 'name: Jones2', 'name: 2Jones', 'name: jones'],
    ['SiânJones, RSMITH, JohnSmith, rosesmith', 'name: SiânJones', 'name: JohnSmith', 'name: rosesmith'],
    ['McDonalds, WiFi, iPhone and PlayStation2 are no names'],
    [
      'TEL-0770-0900123, T07700900123 and ref_4929123x',
      'number: 0770-0900123',
      'number: 07700900123',
      'number: 4929123',
    ],
    // A title, and an initial, with names that nobody knows.
    ['Mrs Smith and mr tudor', 'name: Mrs Smith', 'name: mr tudor'],
    ['Dr. P. Llewellyn came', 'name: Dr. P. Llewellyn'],
    ['Nurse Evans; the nurse came', 'name: Nurse Evans'],
    ['Miss Price would miss the step', 'name: Miss Price'],
    ['S. Jones, T.J. Tudor and K Tudor', 'name: S. Jones', 'name: T.J. Tudor', 'name: K Tudor'],
    ['A Tudor house. I Saw it. 1. A step'],
    // Irish, Welsh, Dutch and double names; all of a name, not only its first word.
    [
      "Mrs O'Leary, K. O’Leary, K O'Leary and mr d’souza",
      "name: Mrs O'Leary",
      'name: K. O’Leary',
      "name: K O'Leary",
      'name: mr d’souza',
    ],
    [
      'Mrs Tudor-Prys, mrs tudor-prys’s arm and Dr. Tudor-Hughes',
      'name: Mrs Tudor-Prys',
      'name: mrs tudor-prys',
      'name: Dr. Tudor-Hughes',
    ],
    ['Mrs Mary Tudor fell; Mr. J. Tudor Price ran', 'name: Mrs Mary Tudor', 'name: Mr. J. Tudor Price'],
    [
      'S. ap Tudor, T de Vries, Mr van der Berg and Mrs Mary ap Tudor',
      'name: S. ap Tudor',
      'name: T de Vries',
      'name: Mr van der Berg',
      'name: Mrs Mary ap Tudor',
    ],
    ['Mr.Tudor and Mrs\nTudor', 'name: Mr.Tudor', 'name: Mrs\nTudor'],
    ['Jones-Tudor and Tudor-Jones; a Jones-made step', 'name: Jones-Tudor', 'name: Tudor-Jones', 'name: Jones'],
    // Usernames, addresses and numbers.
    ['by sjones, K.Davies and the admin', 'name: sjones', 'name: K.Davies'],
    ['write to someone.else@example.com.', 'email: someone.else@example.com'],
    ['ring 07700 900 123 or +44 (0)1745 12-34-56', 'number: 07700 900 123', 'number: +44 (0)1745 12-34-56'],
    ['card 4929123', 'number: 4929123'],
    [
      '07700,900,123; 07700  -  900123; 07700_900_123; 07700 [900] 123',
      'number: 07700,900,123',
      'number: 07700  -  900123',
      'number: 07700_900_123',
      'number: 07700 [900] 123',
    ],
    ['from 09:30 to 10:45, at 14:30, 15:45 and 16:10; plots 12, 13, 14 and 15'],
    ['full width ０７７００９００１２３', 'number: ０７７００９００１２３'],
    ['NI 12 34 56 and 123456'],
    ['on 12/03/2026 at 14.30, 2026-03-12, 1.2.26, 2024-2025, ACC-2026-0012 and INV-2026-00123'],
    ['12/03/2026 07700900123', 'number: 07700900123'],
    ['99/99/2026', 'number: 99/99/2026'],
    ['At plot 229 of GOLDEN SANDS', 'place: plot 229', 'place: GOLDEN SANDS'],
    ['At plot 2290, by the golden door'],
    ['A step gave way. The rail was loose.'],
  ])('%j', (text, ...expected) => {
    expect(list(text)).toEqual(expected);
  });

  test('each is shown in its sentence, cut if it is long', () => {
    const text = 'The rail was loose. Jones fell on the step! Then it rained.\nRose';
    const [first, second] = find(text);
    expect(getSentence(text, first as never)).toEqual({ before: '', found: 'Jones', after: ' fell on the step!' });
    expect(getSentence(text, second as never)).toEqual({ before: '', found: 'Rose', after: '' });
    const long = `${'word '.repeat(100)}Jones ${'word '.repeat(100)}`;
    const { before, after } = getSentence(long, find(long)[0] as never);
    expect([before[0], before.length, after.at(-1), after.length]).toEqual(['…', 121, '…', 121]);
  });

  test('what is chosen is replaced', () => {
    const text = 'Mrs Smith rang 07700900123 from plot 229; Jones did not';
    expect(replaceIdentifiers(text, find(text), (index) => index < 3)).toBe(
      '[name] rang [number] from [place]; Jones did not',
    );
    expect(replaceIdentifiers(text, find(text), () => false)).toBe(text);
    expect(list(replaceIdentifiers(text, find(text), () => true))).toEqual([]);
  });

  // A pattern that tries each start against each end would take longer than a test may.
  test.each(['a', '1', '1,', 'A. ', 'Mr ', 'Mr de ', 'Mr\n', 'Jones-', 'Jones ', '1/', '@', 'a@', '. ', "O'", '-'])(
    'a long text of "%s" is searched',
    (part) => {
      expect(find(part.repeat(40_000 / part.length))).toBeInstanceOf(Array);
    },
  );
});
