// `npm test -- --only engines`: the tests in WebKit and Firefox. Playwright only runs them: the builds of these engines that it can
// drive are its own, and here are those of Debian.
import { defineConfig } from '@playwright/test';
import base from './playwright.config.ts';

export default defineConfig({
  ...base,
  testDir: 'e2e/engines',
  outputDir: 'test-results/engines',
  reporter: [['line'], ['json', { outputFile: 'test-results/engines.json' }]],
  // A browser of its own for each test, and photos of 12 megapixels converted without a graphics card.
  timeout: 120_000,
  projects: [{ name: 'webkit', testIgnore: 'firefox.spec.ts' }, { name: 'firefox' }],
});
