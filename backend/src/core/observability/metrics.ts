import { createServer, type Server } from 'node:http';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { ENV, type Env } from '../config/env.js';

interface GaugeOptions {
  name: string;
  help: string;
  labelNames?: string[];
}

interface Reading {
  labels: Record<string, string>;
  value: number;
}

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
  readonly runsEnded = new Counter({
    name: 'runs_ended_total',
    help: 'Ended runs by state; succeeded means verified',
    labelNames: ['state'],
    registers: [this.registry],
  });
  readonly leasesLost = new Counter({
    name: 'leases_lost_total',
    help: 'Runs that this worker had to leave, because another one had claimed them',
    registers: [this.registry],
  });
  private server: Server | undefined;

  constructor(@Inject(ENV) private readonly env: Env) {
    collectDefaultMetrics({ register: this.registry });
  }

  /**
   * A gauge whose values are read from the database at each scrape. It has no values if the read fails. All processes return the same
   * values, so queries use `max`.
   */
  addGauge({ name, help, labelNames = [] }: GaugeOptions, read: () => Promise<Reading[]>): void {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      async collect() {
        const readings = await read().catch(() => []);
        this.reset();
        // A gauge without labels would be 0, as if nothing waited.
        if (readings.length === 0 && labelNames.length === 0) this.remove();
        for (const { labels, value } of readings) this.set(labels, value);
      },
    });
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
