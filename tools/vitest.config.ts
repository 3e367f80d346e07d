import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  // The tests start processes and PostgreSQL, which is slow on a small machine.
  test: { include: ['**/*.spec.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
