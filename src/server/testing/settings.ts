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
