import { describe, expect, test } from 'vitest';
import { parseUserCsv } from './user-import.ts';

describe('a CSV file of users', () => {
  test.each([',', ';', '\t'])('is separated by "%s" with any line break, quotes and blank lines', (separator) => {
    const rows = [
      ['username', 'role', 'park'],
      ['anna.b', 'none', '"Lido Beach"'],
      [' ceri.j ', '', '" All parks "'],
      [],
      ['', '', ''],
      ['dai.é', 'Admin', 'all parks'],
    ].map((cells) => cells.join(separator));
    for (const end of ['\n', '\r\n', '\r'])
      expect(parseUserCsv(`\uFEFF${rows.join(end)}${end}`)).toEqual({
        users: [
          { line: 2, username: 'anna.b', role: 'None', park: 'Lido Beach' },
          { line: 3, username: 'ceri.j', role: 'None', park: '' },
          { line: 6, username: 'dai.é', role: 'Admin', park: '' },
        ],
        errors: [],
      });
  });

  test('names the first line of each row with an error, in order', () => {
    const csv =
      'anna.b,Cook,Lido Beach\n"two\nlines",None,Lido Beach\n"a" b,None,Lido Beach\nceri.j,None,"Atlantis, the"\n';
    const { users, errors } = parseUserCsv(csv);
    expect(users).toEqual([]);
    expect(errors.map(({ line }) => line)).toEqual([1, 2, 4, 5]);
    expect(errors[3]?.message).toBe('"Atlantis, the" is not a park');
  });

  test('without users says so', () => {
    expect(parseUserCsv('').errors).toEqual([{ line: 1, message: 'The file has no users' }]);
  });
});
