import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  // Real processes and a real PostgreSQL take their time on a small machine.
  test: { include: ['**/*.spec.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
