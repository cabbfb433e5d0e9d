import { expect, test } from 'vitest';
import { describePerson, getPersonValue, identifyPerson, suggestPeople } from './findPerson.ts';

const people = [
  { username: 'sian.h', name: 'Siân Hughes', park: 'Lido Beach' },
  { username: 'eleri1', name: 'Eleri Price (eleri1)', park: 'Lido Beach' },
  { username: 'eleri2', name: 'Eleri Price (eleri2)', park: 'Robin Hood' },
  { username: 'dewi', name: 'dewi', park: 'Robin Hood' },
  { username: 'mair', name: 'Mair Rees', park: 'Mounds', parks: ['Mounds', 'Robin Hood'] },
  { username: 'owain', name: 'Owain Lloyd', park: '' },
];
const notUser = 'Not a user: nobody will be notified';

test.each([
  ['Siân Hughes', 'sian.h', 'sian.h'],
  [' sian hughes ', 'sian.h', 'sian.h'],
  ['SIAN.H', 'sian.h', 'Siân Hughes'],
  ['Owain Lloyd', 'owain', 'owain'],
  ['Eleri Price (eleri2)', 'eleri2', 'Robin Hood'],
  ['dewi', 'dewi', 'dewi'],
  ['Siân', 'Siân', notUser],
  ['Bob the plumber', 'Bob the plumber', notUser],
  ['Eleri Price', 'Eleri Price', 'Several users have this name. Choose one of them.'],
  ['', '', undefined],
])('the text %j is stored as %j and explained as %j', (typed, value, description) => {
  expect(getPersonValue(people, typed)).toBe(value);
  expect(describePerson(people, typed)).toBe(description);
});

test('a user who does not see the park is not chosen', () => {
  expect(getPersonValue(people, 'Dewi', 'Lido Beach')).toBe('Dewi');
  expect(describePerson(people, 'Dewi', 'Lido Beach')).toBe('dewi does not see Lido Beach: nobody will be notified');
  expect(getPersonValue(people, 'Owain Lloyd', 'Lido Beach')).toBe('owain');
});

test('a user of several parks is chosen for each of them', () => {
  for (const park of ['Mounds', 'Robin Hood']) expect(getPersonValue(people, 'Mair Rees', park)).toBe('mair');
  expect(getPersonValue(people, 'Mair Rees', 'Lido Beach')).toBe('Mair Rees');
});

test.each([
  ['', ['dewi', 'eleri1', 'eleri2', 'mair', 'owain', 'sian.h']],
  ['hu si', ['sian.h']],
  ['H', ['sian.h']],
  ['sian.h', ['sian.h']],
  ['eleri price (', ['eleri1', 'eleri2']],
  ['lido', []],
])('the text %j suggests the users %j, by name', (typed, usernames) => {
  expect(suggestPeople(people, typed).map(({ username }) => username)).toEqual(usernames);
});

test('only users who see the park are suggested, and those of the same name with their parks', () => {
  const suggested = suggestPeople(people, '', 'Robin Hood');
  expect(suggested.map((person) => [person.username, identifyPerson(person)])).toEqual([
    ['dewi', ''],
    ['eleri2', 'Robin Hood'],
    ['mair', 'mair'],
    ['owain', 'owain'],
  ]);
});
