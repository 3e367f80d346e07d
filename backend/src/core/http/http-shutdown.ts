import type { Server } from 'node:http';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** Time for running requests to finish; less than the 10 s after which `docker stop` kills a process. */
const GRACE_MS = 8_000;

/** Lets the HTTP server close in time: Node waits for every connection, and idle ones would stay open for minutes. */
@Injectable()
export class HttpShutdown implements BeforeApplicationShutdown {
  constructor(private readonly host: HttpAdapterHost) {}

  beforeApplicationShutdown(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    // The shortest: 0 would mean no limit.
    server.keepAliveTimeout = 1;
    setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  }
}
