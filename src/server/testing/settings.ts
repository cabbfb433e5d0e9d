/** Sessions that outlast the years by which a test moves its clock. */
export const longSessions = {
  REVIEWER_IDLE_MINUTES: '100000000',
  REVIEWER_SESSION_HOURS: '1000000',
  STAFF_IDLE_MINUTES: '100000000',
  STAFF_SESSION_HOURS: '1000000',
};

/** Settings for a small, quiet server without limits. A test's own settings have priority. */
export const testSettings = {
  PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'silent',
  BALLAST_MB: '0',
  UPLOAD_FREE_MB: '0',
  WRITE_FREE_MB: '0',
  RATE_PER_SESSION: '100000',
  RATE_PER_ADDRESS: '100000',
  RATE_SCALE: '1000',
  GUEST_REPORTS: '1',
  GUEST_URL: 'https://safe.example',
  GUEST_PORT: '0',
};
