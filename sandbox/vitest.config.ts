import { defineConfig } from 'vitest/config';

// The first start of a PostgreSQL takes its time on a small machine.
export default defineConfig({ test: { include: ['test/**/*.spec.ts'], testTimeout: 30_000, hookTimeout: 60_000 } });
