import { createServer, type Server } from 'node:http';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { ENV, type Env } from '../config/env.js';

/** Prometheus metrics on a separate port, which is not public. */
@Injectable()
export class Metrics implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly registry = new Registry();
  readonly httpSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests, in seconds',
    labelNames: ['method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  readonly runsStuck = new Counter({
    name: 'runs_stuck_total',
    help: 'Runs without progress for two minutes',
    registers: [this.registry],
  });
  readonly runInternalErrors = new Counter({
    name: 'run_internal_errors_total',
    help: 'Run attempts that failed with an internal error; the log has the stack trace',
    registers: [this.registry],
  });
  readonly workerDeaths = new Counter({
    name: 'worker_deaths_total',
    help: 'Crashed workers, counted by the worker that unlocked their jobs',
    registers: [this.registry],
  });
  private server: Server | undefined;

  constructor(@Inject(ENV) private readonly env: Env) {
    collectDefaultMetrics({ register: this.registry });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.env.METRICS_PORT === undefined) return;
    this.server = createServer((request, response) => {
      if (request.url !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      void this.registry
        .metrics()
        .then((text) => response.writeHead(200, { 'Content-Type': this.registry.contentType }).end(text));
    });
    await new Promise<void>((resolve, reject) => {
      this.server?.once('error', reject).listen(this.env.METRICS_PORT, this.env.HOST, resolve);
    });
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }
}
