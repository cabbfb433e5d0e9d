import { expect, test } from 'vitest';
import { Credentials } from '#shared/users.ts';
import { getFieldErrors } from '../ui/forms/fieldErrors.ts';
import { checkCredentials } from './checkCredentials.ts';

test.each(['', ' ', '\n', '\u2028', 'sian', ' sian '])(
  "the username %j gets the same error as from the server's schema",
  (username) => {
    for (const password of ['', ' ', 'Lido Beach 2026'])
      expect(checkCredentials({ username, password })).toEqual(getFieldErrors(Credentials, { username, password }));
  },
);
