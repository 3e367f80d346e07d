import { expect } from 'vitest';
import type { RunDetail } from '../src/sync/api/runs.dto.js';
import type { TestApp } from './app.js';
import type { Sandbox } from './connectors/sandbox-process.js';
import type { Warehouse } from './connectors/warehouse.js';
import {
  aConnectedApp,
  aDestination,
  anOrganization,
  daysAgo,
  eventually,
  expectStatus,
  type Organization,
} from './factories.js';
import { endPauses } from './pauses.js';
import type { LoggedRequest, Platform } from './platforms.js';
import { endedRun, newestRun, type RunProgress, runWhen } from './runs.js';

export interface Sums {
  rows: number;
  costMicros: string;
  clicks: number;
  impressions: number;
}

/** A slice in one line: stream, account and first day. */
export const sliceName = ({ stream, accountId, from }: { stream: string; accountId: string; from: string }): string =>
  `${stream}/${accountId}/${from}`;

export interface ScenarioConnection {
  accountIds?: string[];
  streams?: string[];
  historyDays: number;
  user?: string;
}

export const doneSlices = (run: RunDetail): string[] => run.slices.filter(({ state }) => state === 'done').map(sliceName);

const idOf = (connectionPath: string): string => connectionPath.split('/').at(-1) ?? '';

/** One platform's connection to a warehouse, with helpers for tests. */
export class PlatformScenario {
  constructor(
    readonly app: TestApp,
    readonly sandbox: Sandbox,
    readonly warehouse: Warehouse,
    readonly organization: Organization,
    readonly platform: Platform,
  ) {}

  fault(fault: string, parameters: object = {}): Promise<void> {
    return this.sandbox.addFault({ provider: this.platform.path, fault, ...parameters });
  }

  /** Creates a connection whose first run is queued; returns its path. */
  async connect(wanted: ScenarioConnection, sourceId?: string): Promise<string> {
    return this.connectTo(await aDestination(this.organization, this.warehouse), wanted, sourceId);
  }

  /** Only the source calls the platform, so a fault that is set afterwards affects the run. */
  async aSource({ accountIds = [this.platform.accounts[0]], user }: Partial<ScenarioConnection>): Promise<string> {
    const { call, path } = this.organization;
    const appId = await aConnectedApp(this.organization, user, this.platform.provider);
    const answer = await call.post<{ id: string }>(`${path}/sources`, { appId, name: 'Ads', accountIds });
    return expectStatus(answer, 201).body.id;
  }

  async connectTo(destinationId: string, wanted: ScenarioConnection, sourceId?: string): Promise<string> {
    const { call, path } = this.organization;
    const answer = await call.post<{ id: string }>(`${path}/connections`, {
      name: 'Ads to warehouse',
      sourceId: sourceId ?? (await this.aSource(wanted)),
      destinationId,
      streams: wanted.streams ?? Object.keys(this.platform.streams),
      schedule: { kind: 'manual', timeZone: 'UTC' },
      lookbackDays: 3,
      historyFrom: daysAgo(wanted.historyDays),
    });
    return `${path}/connections/${expectStatus(answer, 201).body.id}`;
  }

  newestRun(connection: string): Promise<RunDetail> {
    return newestRun(this.organization, idOf(connection));
  }

  waitingRun(connection: string, timeoutMs = 60_000): Promise<RunDetail> {
    const isWaiting = ({ state, isEnded }: RunProgress) => state === 'waiting' || isEnded;
    return runWhen(this.app, this.organization, idOf(connection), isWaiting, timeoutMs);
  }

  /** Waits for the end of the newest run. With `after`, the id of an earlier run: once another one is the newest. */
  endedRun(connection: string, after?: string): Promise<RunDetail> {
    return endedRun(this.app, this.organization, idOf(connection), after);
  }

  async runAgain(connection: string): Promise<RunDetail> {
    expectStatus(await this.organization.call.post(`${connection}/run`), 202);
    return this.endedRun(connection);
  }

  /** Waits for the end of the run and skips its pauses. */
  async endedRunAfterPauses(connection: string): Promise<RunDetail> {
    for (;;) {
      const run = await this.waitingRun(connection);
      if (run.endedAt !== null) return run;
      await this.makeWaitingRunsDue();
    }
  }

  /** Makes queued jobs and waiting slices due now. Ends when the runs of the organization are continued. */
  async makeWaitingRunsDue(): Promise<void> {
    const { query } = this.app.database;
    const waiting = await query<{ id: string; epoch: string }>(
      `select id, lease_epoch::text as epoch from runs where organization_id = $1 and state = 'waiting'`,
      [this.organization.id],
    );
    // Repeated, because a run can be shown as waiting before its job is queued again.
    const makeDue = () => endPauses(this.app.database);
    await makeDue();
    for (const { id, epoch } of waiting)
      await eventually(
        async () => {
          await makeDue();
          return query('select 1 from runs where id = $1 and (lease_epoch > $2 or ended_at is not null)', [id, epoch]);
        },
        (found) => found.length > 0,
      );
  }

  async requests(): Promise<LoggedRequest[]> {
    const answer = await fetch(`${this.sandbox.url}/admin/requests?provider=${this.platform.path}&limit=2000`);
    return ((await answer.json()) as { requests: LoggedRequest[] }).requests;
  }

  /** The slices requested from the platform since then, in order; rejected requests are excluded. */
  async slicesRead(since: Date): Promise<string[]> {
    const streams = Object.entries(this.platform.streams);
    const recent = (await this.requests()).filter(({ at, status }) => new Date(at) >= since && status === 200);
    return recent.flatMap((request) => {
      const reading = this.platform.readingOf(request);
      const stream = streams.find(([, report]) => report === reading?.report)?.[0];
      return reading && stream ? [sliceName({ ...reading, stream })] : [];
    });
  }

  async atSource(accountId: string, stream: string, historyDays: number): Promise<Sums> {
    const query = new URLSearchParams({ [this.platform.parameter]: accountId, from: daysAgo(historyDays), to: daysAgo(-1) });
    const answer = await fetch(`${this.sandbox.url}/admin/${this.platform.path}/totals?${query}`);
    return ((await answer.json()) as { streams: Record<string, Sums> }).streams[stream] as Sums;
  }

  async atWarehouse(accountId: string, stream: string): Promise<Sums> {
    const [sums] = await this.warehouse.query<Sums & Record<string, unknown>>(
      `select count(*)::int as rows, coalesce(sum(cost_micros), 0)::text as "costMicros", coalesce(sum(clicks), 0)::float8 as clicks,
              coalesce(sum(impressions), 0)::float8 as impressions
         from ${this.platform.provider}_${stream} where account_id = $1`,
      [accountId],
    );
    return sums as Sums;
  }

  /** Expects the rows of each stream in the warehouse to equal the platform's rows. */
  async expectEqualSums(accountIds: string[], historyDays: number, streams = Object.keys(this.platform.streams)): Promise<void> {
    for (const accountId of accountIds)
      for (const stream of streams) {
        const expected = await this.atSource(accountId, stream, historyDays);
        expect(expected.rows).toBeGreaterThan(0);
        expect(await this.atWarehouse(accountId, stream)).toEqual(expected);
      }
  }

  /** Ids of active or finished reports, newest slice first. */
  async remoteJobs(stream: string): Promise<(string | null)[]> {
    const rows = await this.app.database.query<{ id: string | null }>(
      'select remote_job_id as id from run_slices where organization_id = $1 and stream = $2 order by day_from desc',
      [this.organization.id, stream],
    );
    return rows.map(({ id }) => id);
  }
}

/** Creates one in a new organization. */
export const aPlatformScenario = async (
  app: TestApp,
  sandbox: Sandbox,
  warehouse: Warehouse,
  platform: Platform,
): Promise<PlatformScenario> => new PlatformScenario(app, sandbox, warehouse, await anOrganization(app), platform);
