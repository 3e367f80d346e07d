import { defineConfig } from '@playwright/test';
import { findBrowser } from '../tools/browser.ts';

const { executablePath, args, env } = await findBrowser();

/** The tests run against a separate instance: see e2e/support/global-setup.ts. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: '../.tmp/browser-tests',
  // A test waits for conditions, however long they take on a busy machine. These limits only end what hangs.
  timeout: 600_000,
  expect: { timeout: 120_000, toPass: { timeout: 120_000 } },
  fullyParallel: true,
  // One more than the processors of a small machine: the tests of billing and pairs mostly wait for runs.
  workers: 3,
  forbidOnly: true,
  reporter: 'list',
  use: {
    launchOptions: { executablePath, args, env },
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    // Animated pages are drawn again for each frame, without a graphics card.
    contextOptions: { reducedMotion: 'reduce' },
    // Calls, network and console, without pictures and copies of each page, which take a fifth of the processor time and more.
    // A failed test also leaves a screenshot and the page's accessibility tree. For everything: --trace=on
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
  },
  projects: [
    // Runs on a separate instance with billing enabled: see e2e/support/billing.ts. First, because its tests run one after the other.
    { name: 'billing', testMatch: 'billing*.spec.ts', workers: 1 },
    {
      name: 'product',
      testIgnore: [
        'pictures.spec.ts',
        'portfolio.spec.ts',
        'demo.spec.ts',
        'demo-tour.spec.ts',
        'pairs.spec.ts',
        'worker-loss.spec.ts',
        'billing*.spec.ts',
      ],
      // These tests use the processor all the time.
      workers: 2,
    },
    { name: 'demo', testMatch: 'demo.spec.ts' },
    // Runs after the demo test: it restates accounts of the demo that the demo test expects unchanged.
    { name: 'pairs', testMatch: 'pairs.spec.ts', dependencies: ['demo'] },
    // Runs alone: it lets the warehouse of the demo lose rows.
    { name: 'demo-tour', testMatch: 'demo-tour.spec.ts', dependencies: ['product', 'pairs'] },
    // Runs alone: it kills the worker of the instance.
    { name: 'worker-loss', testMatch: 'worker-loss.spec.ts', dependencies: ['demo-tour'] },
    // Runs on a separate instance with all connections of the demo: see e2e/support/portfolio.ts. Its start mostly waits for runs, so
    // it takes the place of the tests of billing, beside those that run alone on the first instance.
    { name: 'portfolio', testMatch: 'portfolio.spec.ts', workers: 1, dependencies: ['billing'] },
    // Runs only on request: npm run pictures -w frontend. Hinting would move letters to whole pixels and narrow the spaces between words.
    {
      name: 'pictures',
      testMatch: 'pictures.spec.ts',
      workers: 1,
      use: { launchOptions: { executablePath, args: [...args, '--font-render-hinting=none'], env } },
    },
  ],
});
