import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ENV, type Env } from '../config/env.js';

/** Time for running requests to finish. Without a delay it is less than 10 s, after which `docker stop` kills the process. */
const GRACE_MS = 8_000;

/**
 * Ends accepting requests on shutdown, after the time in which load balancers notice that the process is no longer ready. Then closes
 * idle connections: Node waits for every connection, and idle ones would stay open for minutes.
 */
@Injectable()
export class HttpShutdown implements BeforeApplicationShutdown {
  /** Whether the process is shutting down. */
  isStopping = false;

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly host: HttpAdapterHost,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await delay(this.env.SHUTDOWN_DELAY_SECONDS * 1_000);
    const server = this.host.httpAdapter.getHttpServer() as Server;
    // The shortest timeout: 0 means no timeout.
    server.keepAliveTimeout = 1;
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  }
}
