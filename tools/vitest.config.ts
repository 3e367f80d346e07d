import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: import.meta.dirname,
  // The tests start processes and PostgreSQL. These limits only end what hangs: a busy machine may be slow.
  test: { include: ['**/*.spec.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
});
