import { test as base } from '@playwright/test';
import { startTestInstance } from '../../../tools/start/test-instance.ts';
import { useInstance } from './instance.ts';

/** Ends a hanging start. */
const START_TIMEOUT_MS = 600_000;

/** A test on an instance whose demo has all its connections. The project has one worker and therefore one instance. */
export const test = base.extend<object, { portfolioInstance: undefined }>({
  portfolioInstance: [
    // Playwright reads the required fixtures from this pattern.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const { instance: started, portfolio, stop } = await startTestInstance({ hasPortfolio: true });
      useInstance(started);
      await portfolio();
      await use(undefined);
      await stop();
    },
    { scope: 'worker', auto: true, timeout: START_TIMEOUT_MS },
  ],
});
