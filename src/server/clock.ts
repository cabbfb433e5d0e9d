/**
 * Returns the server's time. When the machine's clock goes back by less than an hour, the server's
 * time stands still, because a step back could extend a session or change the order of the log. A
 * larger step back is followed: it corrects a clock that was ahead.
 */
export type Clock = () => Date;

/** Allowed difference between the clocks of two instances. What seems to be later was stored while a clock was ahead. */
export const maxClockDriftMs = 60_000;

const correctionMs = 60 * 60_000;

export function createClock(source: () => number = Date.now): Clock {
  let latestMs = 0;
  return () => {
    const sourceMs = source();
    if (sourceMs > latestMs || sourceMs <= latestMs - correctionMs) latestMs = sourceMs;
    return new Date(latestMs);
  };
}
