import { defineConfig } from '@playwright/test';

/** These test parts of the app without a server (e2e/harness), so that they can share a worker. */
const components = ['photos.spec.ts', 'signature.spec.ts', 'riddor-cases.spec.ts'];
const desktopSize = { width: 1440, height: 900 };

// A page of a test is closed before optimising its code has paid off, which takes a twelfth of their processor time.
// Ten times the calls that V8 usually waits for leave it to code that runs for long, such as decoding an image.
const calls = { maglev: 4000, turbofan: 30_000, 'maglev-osr': 1000, osr: 5000 };
const optimiseLate = `--js-flags=${Object.entries(calls)
  .map(([name, count]) => `--invocation-count-for-${name}=${count}`)
  .join()}`;

// The tests start their own servers (e2e/), each with its own data, so there is no webServer here.
export default defineConfig<{ isTranslated: boolean }>({
  testDir: 'e2e',
  outputDir: 'test-results/e2e',
  // `dot` prints every failure at the end, so the last lines of a run in CI explain it.
  reporter: [[process.env.CI ? 'dot' : 'line'], ['json', { outputFile: 'test-results/e2e.json' }]],
  // More than the two cores, because tests spend part of their time waiting for the browser.
  workers: 3,
  timeout: 120_000,
  retries: 0,
  // Three tests share two cores, so a response may take a while.
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    trace: 'off',
    // Service workers would answer requests that the tests expect at the server; installed-app.ts
    // allows them.
    serviceWorkers: 'block',
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    launchOptions: {
      // `npm test` finds a Chromium and names it here.
      executablePath: process.env.CHROMIUM_PATH,
      // Without a graphics card, drawing without its emulation costs less, and so does drawing in the browser's own process.
      // Chromium's sandbox refuses to run as root, as in most CI containers.
      args: ['--disable-gpu', '--in-process-gpu', optimiseLate, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    },
  },
  // Started in this order: the shortest files come last, so that no worker waits for another at the end.
  // Tests of behaviour that is the same at every size run once, on the phone.
  projects: [
    // Playwright is only their test runner: it can drive only its own builds of these engines, and these tests use
    // Debian's.
    { name: 'webkit', testDir: 'e2e/engines', grepInvert: /@firefox/ },
    { name: 'firefox', testDir: 'e2e/engines' },
    // These tests set the size of the screen themselves, if it matters. Each worker would build what they test.
    { name: 'components', testMatch: components, workers: 1, use: { viewport: desktopSize } },
    {
      name: 'phone',
      // A phone has no mouse, and no keyboard but the one on its screen. Its browser translates the pages.
      grepInvert: /@keyboard|@mouse/,
      testIgnore: [...components, 'engines/**'],
      use: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, isTranslated: true },
    },
    {
      name: 'desktop',
      grepInvert: /@once/,
      testIgnore: [...components, 'engines/**'],
      use: { viewport: desktopSize },
    },
  ],
});
