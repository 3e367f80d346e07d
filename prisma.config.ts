import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

// The native schema engine comes from a host that many networks close; this is the same engine as WebAssembly, from npm.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(new URL('./tools/schema-engine/main.mjs', import.meta.url));

export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  // Without a database `generate`, `validate` and `format` still work.
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://postgres:postgres@127.0.0.1:5432/tributary' },
});
