/**
 * The server's time. It never goes back, so that a clock set back cannot extend a session or
 * reorder the log.
 */
export type Clock = () => Date;

export function createClock(source: () => number = Date.now): Clock {
  let latest = 0;
  return () => {
    latest = Math.max(latest, source());
    return new Date(latest);
  };
}
