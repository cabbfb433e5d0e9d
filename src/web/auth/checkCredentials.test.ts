import { expect, test } from 'vitest';
import { Credentials } from '#shared/users.ts';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { checkCredentials } from './checkCredentials.ts';

test.each(['', ' ', '\n', '\u2028', 'sian', ' sian '])('a username %j is checked as by the server', (username) => {
  for (const password of ['', ' ', 'Lido Beach 2026'])
    expect(checkCredentials({ username, password })).toEqual(getFieldErrors(Credentials, { username, password }));
});
