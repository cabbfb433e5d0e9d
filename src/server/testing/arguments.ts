import { parseArgs } from 'node:util';

/**
 * Parses the arguments of a command: some of `flags`, such as `outbox` for `--outbox`, then at most `most` words.
 * Throws an error with the usage if there is anything else.
 */
export function parseArguments<Flag extends string>(
  args: string[],
  { usage, flags = [], most }: { usage: string; flags?: Flag[]; most: number },
): { flag: Flag | undefined; words: string[] } {
  try {
    const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }]));
    const { values, positionals: words } = parseArgs({ args, options, allowPositionals: true });
    const [flag, ...others] = Object.keys(values) as Flag[];
    if (others.length === 0 && words.length <= most) return { flag, words };
  } catch {
    // An unknown option.
  }
  throw new Error(`Usage: ${usage}`);
}

/** Returns a whole number from 1, or `fallback` if there is no word. Throws for anything else. */
export function parseCount(word: string | undefined, fallback: number): number {
  if (word === undefined) return fallback;
  if (!/^[1-9]\d{0,9}$/.test(word)) throw new Error(`${word} is not a whole number from 1`);
  return Number(word);
}
