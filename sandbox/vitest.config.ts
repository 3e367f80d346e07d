import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.spec.ts'],
    // The first start of a PostgreSQL takes its time on a small machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Files of one process share the loaded modules: loading them again for each file takes half of the processor time.
    isolate: false,
  },
});
