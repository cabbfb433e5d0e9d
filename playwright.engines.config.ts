// `npm test -- --only engines`: the tests in WebKit and Firefox. Uses Playwright only as a test
// runner: it can drive only its own builds of these engines, and these tests use Debian's.
import { defineConfig } from '@playwright/test';
import base from './playwright.config.ts';

export default defineConfig({
  ...base,
  testDir: 'e2e/engines',
  outputDir: 'test-results/engines',
  reporter: [['line'], ['json', { outputFile: 'test-results/engines.json' }]],
  // Each test starts a browser, and converts photos of 12 megapixels without a graphics card.
  timeout: 120_000,
  projects: [{ name: 'webkit', testIgnore: 'firefox.spec.ts' }, { name: 'firefox' }],
});
