import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.spec.ts'],
    // These limits only end what hangs: a busy machine may be slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Files of one process share the loaded modules: loading them again for each file takes half of the processor time.
    isolate: false,
  },
});
