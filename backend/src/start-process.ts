import { once } from 'node:events';
import type { Server } from 'node:http';
import { createApp } from './create-app.js';
import type { Env } from './core/config/env.js';
import { DataKeys } from './core/encryption/data-keys.js';

/** Starts the API, the worker or both. */
export async function startProcess({ ROLE, PORT, HOST }: Env): Promise<void> {
  const app = await createApp(process.env);
  // Before the first job is claimed or the first request served, which would fail.
  await app.get(DataKeys).check();
  await app.init();
  if (ROLE === 'worker') return;
  // Not Nest's listen, which prints a used port with a stack trace.
  const server = app.getHttpServer().listen(PORT, HOST) as Server;
  await once(server, 'listening');
}
