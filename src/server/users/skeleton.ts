// What a username looks like (UTS #39): two names with one skeleton cannot be told apart on a screen, as with a Cyrillic а for an a.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getUsernameKey } from '#shared/users.ts';

const confusables = new Map(
  readFileSync(join(import.meta.dirname, 'confusables.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' ') as [string, string]),
);

/** Compared with other skeletons only. */
export const getSkeleton = (username: string) =>
  [...getUsernameKey(username).normalize('NFD')]
    .map((character) => confusables.get(character) ?? character)
    .join('')
    .normalize('NFD');
