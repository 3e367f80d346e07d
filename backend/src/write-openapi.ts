import { writeFileSync } from 'node:fs';
import { createApp } from './create-app.js';
import { createDocument } from './openapi.js';

/** Writes the OpenAPI document. It needs no database, because no endpoint is called. */
const app = await createApp({
  ROLE: 'api',
  NODE_ENV: 'development',
  PUBLIC_URL: 'http://localhost:3000',
  DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  FIREBASE_PROJECT_ID: 'none',
  FIREBASE_API_KEY: 'none',
  FIREBASE_AUTH_DOMAIN: 'none',
  GOOGLE_CLIENT_ID: 'none',
  GOOGLE_CLIENT_SECRET: 'none',
});
writeFileSync(
  process.argv[2] ?? 'openapi.json',
  `${JSON.stringify(await createDocument(app, { withDrafts: false }), null, 2)}\n`,
);
await app.close();
