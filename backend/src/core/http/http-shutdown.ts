import type { Server } from 'node:http';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** Time for running requests to finish. Less than 10 s, after which `docker stop` kills the process. */
const GRACE_MS = 8_000;

/** Closes idle connections on shutdown. Node waits for every connection, and idle ones would stay open for minutes. */
@Injectable()
export class HttpShutdown implements BeforeApplicationShutdown {
  constructor(private readonly host: HttpAdapterHost) {}

  beforeApplicationShutdown(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    // The shortest timeout: 0 means no timeout.
    server.keepAliveTimeout = 1;
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  }
}
