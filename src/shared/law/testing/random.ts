// Random numbers that a seed repeats, for tests.

/** Returns a random integer from 0 up to but not including `limit`. */
export type Random = (limit: number) => number;

/** Random numbers from a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixedBits = Math.imul(state ^ (state >>> 15), state | 1);
    mixedBits ^= mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), mixedBits | 61);
    return Math.floor((((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}
