// The skeleton of a username (UTS #39): two names with the same skeleton look alike on a screen,
// for example with a Cyrillic а instead of an a.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getUsernameKey } from '#shared/users.ts';

const confusables = new Map(
  readFileSync(join(import.meta.dirname, 'confusables.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' ') as [string, string]),
);

/** Returns the skeleton. Use it only to compare it with other skeletons. */
export const getSkeleton = (username: string) =>
  [...getUsernameKey(username).normalize('NFD')]
    .map((character) => confusables.get(character) ?? character)
    .join('')
    .normalize('NFD');
