/**
 * Returns the server's time, which never goes back. Otherwise a clock that is set back could extend
 * a session or change the order of the log.
 */
export type Clock = () => Date;

export function createClock(source: () => number = Date.now): Clock {
  let latestMs = 0;
  return () => {
    latestMs = Math.max(latestMs, source());
    return new Date(latestMs);
  };
}
