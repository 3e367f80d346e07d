import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiProcess } from './api-process.js';

/**
 * Sends requests to ready processes in turn, over kept connections. It checks `/readyz` and never repeats a request, as simple load
 * balancers do.
 */
export class LoadBalancer {
  private readonly agent = new http.Agent({ keepAlive: true });
  private readonly server = http.createServer((request, response) => this.forward(request, response));
  private readonly ready = new Set<ApiProcess>();
  private readonly ending = new AbortController();
  private turn = 0;

  constructor(
    private readonly processes: ApiProcess[],
    private readonly intervalMs: number,
  ) {}

  async start(): Promise<string> {
    for (const one of this.processes) void this.check(one);
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  uses(one: ApiProcess): boolean {
    return this.ready.has(one);
  }

  stop(): void {
    this.ending.abort();
    this.agent.destroy();
    this.server.close();
    this.server.closeAllConnections();
  }

  private async check(one: ApiProcess): Promise<void> {
    while (!this.ending.signal.aborted) {
      if (await one.isReady()) this.ready.add(one);
      else this.ready.delete(one);
      await delay(this.intervalMs, undefined, { signal: this.ending.signal }).catch(() => undefined);
    }
  }

  private forward(request: http.IncomingMessage, response: http.ServerResponse): void {
    const targets = [...this.ready];
    const target = targets[this.turn++ % targets.length];
    const fail = () => void (response.headersSent ? response.destroy() : response.writeHead(502).end());
    if (!target) return fail();
    const { method, url: path, headers } = request;
    const forwarded = http.request(
      { host: '127.0.0.1', port: target.port, method, path, headers, agent: this.agent },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    forwarded.on('error', fail);
    request.pipe(forwarded);
  }
}
