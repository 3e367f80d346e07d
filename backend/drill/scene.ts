import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { CommitProxy } from './commit-proxy.js';

const USUAL_WAIT_MS = 60_000;

export type Call = <Body = { id: string }>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Body>;

/** The built product as API and workers, our database and a warehouse behind proxies, and the sandbox: all as processes. */
export interface Scene {
  organizationId: string;
  call: Call;
  /** Calls the sandbox's administration: GET, or POST with a body. */
  admin<Body>(path: string, body?: object): Promise<Body>;
  clearFaults(): Promise<void>;
  query<Row extends pg.QueryResultRow>(text: string, parameters?: unknown[]): Promise<Row[]>;
  queryWarehouse(text: string, parameters?: unknown[]): Promise<pg.QueryResultRow[]>;
  /** The warehouse as the product reaches it. */
  warehouse: { host: string; port: number; database: string; user: string; password: string };
  databaseProxy: CommitProxy;
  warehouseProxy: CommitProxy;
  restartDatabase(): Promise<void>;
  workers: ChildProcess[];
  startWorker(): Promise<void>;
  killWorker(worker: ChildProcess): Promise<void>;
  stop(): Promise<void>;
}

export async function until(what: string, holds: () => Promise<boolean>, timeoutMs = USUAL_WAIT_MS): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs / 1_000} s: ${what}`);
    await wait(50);
  }
}
