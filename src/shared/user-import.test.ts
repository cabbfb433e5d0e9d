import { describe, expect, test } from 'vitest';
import { createUserTemplate, parseUserCsv } from './user-import.ts';

describe('a CSV file of users', () => {
  test.each([',', ';', '\t'])(
    'a CSV file of users is parsed with "%s" as separator, any line breaks, quotes and blank lines',
    (separator) => {
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
            { line: 2, username: 'anna.b', role: 'None', park: 'Lido Beach', parks: ['Lido Beach'] },
            { line: 3, username: 'ceri.j', role: 'None', park: '', parks: null },
            { line: 6, username: 'dai.é', role: 'Admin', park: '', parks: null },
          ],
          errors: [],
        });
    },
  );

  test('a CSV file of users names several parks with semicolons between them, quoted where those separate the columns', () => {
    const several = { park: 'Mounds', parks: ['Mounds', 'Winkups'] };
    expect(
      parseUserCsv('anna.b,None,winkups; Mounds;Winkups;\nceri.j,None,Mounds;All parks\ndai.p,None,;').users,
    ).toEqual([{ line: 1, username: 'anna.b', role: 'None', ...several }]);
    expect(parseUserCsv('anna.b;None;"Mounds; Winkups"').users).toMatchObject([several]);
    expect(parseUserCsv('ceri.j,None,Mounds;All parks\ndai.p,None,;').errors).toEqual([
      { line: 1, message: '"All parks" is not a park' },
      { line: 2, message: 'Name a park, or All parks' },
    ]);
  });

  test('errors in a CSV file of users name the line on which the wrong row begins, in order', () => {
    const csv =
      'anna.b,Cook,Lido Beach\n"two\nlines",None,Lido Beach\n"a" b,None,Lido Beach\nceri.j,None,"Atlantis, the"\n';
    const { users, errors } = parseUserCsv(csv);
    expect(users).toEqual([]);
    expect(errors.map(({ line }) => line)).toEqual([1, 2, 4, 5]);
    expect(errors[3]?.message).toBe('"Atlantis, the" is not a park');
  });

  test('a CSV file of users may have full names and email addresses in columns that its first line names', () => {
    const csv = [
      'Username,Role,Park,Email,Full name',
      'anna.b,None,Lido Beach,anna@example.com,Anna Bevan',
      'ceri.j,None,Lido Beach',
      'dai.p,None,Lido Beach,dai@example,Dai',
      'elin.r,None,Lido Beach,,,more',
    ].join('\n');
    const { users, errors } = parseUserCsv(csv);
    const place = { role: 'None', park: 'Lido Beach', parks: ['Lido Beach'] };
    expect(users).toEqual([
      { line: 2, username: 'anna.b', ...place, full_name: 'Anna Bevan', email: 'anna@example.com' },
      { line: 3, username: 'ceri.j', ...place },
    ]);
    expect(errors).toEqual([
      { line: 4, message: 'Enter an email address such as sian@example.com' },
      { line: 5, message: 'There are more columns than in the first line' },
    ]);
    expect(parseUserCsv('username,role,park,phone\nanna.b,None,Lido Beach,1').errors).toEqual([
      { line: 1, message: '"phone" is not a column. The columns are username, role, park, full name, email' },
    ]);
    expect(parseUserCsv('username,park\nanna.b,Lido Beach').errors).toEqual([
      { line: 1, message: 'The column "role" is missing. The columns are username, role, park, full name, email' },
    ]);
    const notUnderstood =
      'The first line is not understood: "Enw", "Swydd", "Parc". Name the columns there: username, role, park, full name, email';
    expect(parseUserCsv('Enw,Swydd,Parc\nanna.b,None,Lido Beach').errors).toEqual([
      { line: 1, message: notUnderstood },
    ]);
    expect(parseUserCsv('anna.b,None,Lido Beach,Anna Bevan').errors).toEqual([
      { line: 1, message: 'There are more than three columns: username, role, park' },
    ]);
  });

  test('the template of users is understood, and its examples are refused until their lines are deleted', () => {
    const template = createUserTemplate('Rock "n" Roll', { withEmail: true });
    const message = 'This is an example of the template. Delete this line';
    expect(parseUserCsv(`\uFEFF${template}`)).toEqual({
      users: [],
      errors: [
        { line: 2, message },
        { line: 3, message },
      ],
    });
    const [columns] = template.split('\r\n');
    expect(columns).toBe('username,role,park,full name,email');
    expect(template).toContain('example.staff,park staff,"Rock ""n"" Roll",Siân Example,sian@example.com\r\n');
    expect(parseUserCsv('Example.Staff,None,Mounds').errors).toEqual([{ line: 1, message }]);
    const short = createUserTemplate('Mounds', { withEmail: false });
    expect(short).not.toContain('mail');
    expect(parseUserCsv(`${short.split('\r\n')[0]}\r\nanna.b,staff,Mounds,Anna Bevan`).users).toMatchObject([
      { username: 'anna.b', full_name: 'Anna Bevan' },
    ]);
  });

  test.each(['', 'none', 'Staff', 'Park staff', 'None (park staff)'])(
    'in a CSV file of users the role "%s" is that of park staff',
    (role) => {
      for (const heading of ['', 'username,role,park\n'])
        expect(parseUserCsv(`${heading}anna.b,${role},Mounds`)).toMatchObject({
          users: [{ role: 'None' }],
          errors: [],
        });
    },
  );

  test.each([
    ['E-mail', 'Full name'],
    ['Email address', 'Name'],
    ['E-mail address', 'full_name'],
  ])('in a CSV file of users the columns "%s" and "%s" are understood', (email, name) => {
    expect(
      parseUserCsv(`User name;Role;Parks;${email};${name}\nanna.b;;"Mounds; Winkups";anna@example.com;Anna`).users,
    ).toMatchObject([
      { username: 'anna.b', parks: ['Mounds', 'Winkups'], email: 'anna@example.com', full_name: 'Anna' },
    ]);
    expect(parseUserCsv(`username,role,park,email,${email}\n`).errors).toEqual([
      { line: 1, message: 'A column occurs more than once' },
    ]);
  });

  test.each([0, 1])('a CSV file of more than 200 users is rejected (%i header rows)', (headings) => {
    const heading = 'username,role,park\n'.repeat(headings);
    const list = (count: number) => Array.from({ length: count }, (_, at) => `person.${at},None,Mounds\n`).join('');
    expect(parseUserCsv(heading + list(200))).toMatchObject({ users: { length: 200 }, errors: [] });
    expect(parseUserCsv(heading + list(201))).toEqual({
      users: [],
      errors: [{ line: 201 + headings, message: 'At most 200 users at once: split the file' }],
    });
  });

  test('an empty CSV file of users is rejected', () => {
    expect(parseUserCsv('').errors).toEqual([{ line: 1, message: 'The file has no users' }]);
  });
});
