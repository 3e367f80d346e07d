import { setTimeout as wait } from 'node:timers/promises';

/** Between two requests to the same API process. */
const INTERVAL_MS = 500;
const TIMEOUT_MS = 30_000;

/** Reads lists of connections from each API process, of a changing organization with every request, until it is stopped. */
export class ApiLoad {
  readonly latenciesMs: number[] = [];
  readonly failures: string[] = [];
  private isStopped = false;
  private readonly lanes: Promise<void>[];
  private readonly token: string;
  private readonly organizationIds: string[];

  constructor(urls: string[], token: string, organizationIds: string[]) {
    this.token = token;
    this.organizationIds = organizationIds;
    this.lanes = urls.map((url, index) => this.readLists(url, index));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.lanes);
  }

  private async readLists(url: string, first: number): Promise<void> {
    for (let request = first; !this.isStopped; request += 1) {
      const organizationId = this.organizationIds[request % this.organizationIds.length];
      const startedAt = performance.now();
      await this.read(`${url}/api/v1/organizations/${organizationId}/connections?limit=20`);
      const took = performance.now() - startedAt;
      this.latenciesMs.push(took);
      await wait(Math.max(0, INTERVAL_MS - took));
    }
  }

  private async read(url: string): Promise<void> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch(url, { headers: { authorization: `Bearer ${this.token}` }, signal });
      await answer.arrayBuffer();
      if (!answer.ok) this.failures.push(String(answer.status));
    } catch (error) {
      this.failures.push((error as Error).message);
    }
  }
}
