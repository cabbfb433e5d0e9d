/**
 * The server's time. It never goes back, so that a clock set back cannot extend a session or
 * reorder the log.
 */
export type Clock = () => Date;

export function createClock(source: () => number = Date.now): Clock {
  let latestMs = 0;
  return () => {
    latestMs = Math.max(latestMs, source());
    return new Date(latestMs);
  };
}
