import { defineConfig } from 'vitest/config';

/** The image is built without a cache, and packages are downloaded. This limit only ends what hangs. */
const TIMEOUT_MS = 1_500_000;

/** Not part of `make test`: these files end in .test.ts, those of tools/vitest.config.ts in .spec.ts. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['test/*.test.ts'],
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    // Both files use port 3000.
    fileParallelism: false,
    disableConsoleIntercept: true,
  },
});
