import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createApp } from './create-app.js';
import { BUILD } from './core/config/build.js';
import type { Env } from './core/config/env.js';
import { DataKeys } from './core/encryption/data-keys.js';
import { LOGGER } from './core/observability/logger.js';
import { releaseStartMemory } from './release-start-memory.js';

/** Starts the API, the worker or both. */
export async function startProcess({ ROLE, PORT, HOST }: Env): Promise<void> {
  const app = await createApp(process.env);
  const logger = app.get<Logger>(LOGGER);
  // Before the first job is claimed or the first request served, which would fail.
  await app.get(DataKeys).check();
  await app.init();
  releaseStartMemory();
  if (ROLE !== 'api') logger.info({ version: BUILD }, 'The worker has started');
  if (ROLE === 'worker') return;
  // Not Nest's listen, which prints a used port with a stack trace.
  const server = app.getHttpServer().listen(PORT, HOST) as Server;
  await once(server, 'listening');
  const { address, family, port } = server.address() as AddressInfo;
  logger.info({ version: BUILD }, `Listening on http://${family === 'IPv6' ? `[${address}]` : address}:${port}`);
}
