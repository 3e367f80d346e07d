import { randomUUID } from 'node:crypto';
import type { Failure } from '../src/core/http/failure.dto.js';
import { Database } from '../src/core/database/database.js';
import { addDays, listDays } from '../src/connectors/kit/days.js';
import { RunLedger } from '../src/sync/ledger/run-ledger.js';
import type { CoverageDay, Lease } from '../src/sync/ledger/lease.js';
import type { SliceRow } from '../src/sync/ledger/sync.queries.js';
import { SyncService } from '../src/sync/index.js';
import type { TestApp } from './app.js';
import { daysAgo, type Connection, type Organization } from './factories.js';
import { pick } from './user-actions.js';

const FAILURES: Failure[] = [
  { class: 'quota', code: 'google_ads.quota', message: 'Too many requests.', action: 'Wait', providerRequestId: null },
  { class: 'transient', code: 'postgresql.down', message: 'No connection.', action: 'Wait', providerRequestId: null },
  { class: 'permission', code: 'google_ads.denied', message: 'No access.', action: 'Grant access', providerRequestId: null },
];
const ENDS = ['succeeded', 'succeeded', 'partial', 'unverified', 'failed', 'skipped'] as const;
const DAY_STATES = ['final', 'final', 'provisional', 'empty_confirmed', 'failed', 'loading'] as const;
const TIME_ZONES = ['Europe/Berlin', 'America/Los_Angeles', 'Pacific/Auckland', 'UTC'];

/** Does random things to connections, through the parts of the product that change them. */
export class ConnectionHistory {
  private readonly leases = new Map<string, Lease>();
  private readonly actions: ((connection: Connection) => Promise<unknown>)[];

  constructor(
    private readonly app: TestApp,
    private readonly organization: Organization,
    private readonly random: () => number,
  ) {
    const run = [this.startRun, this.claim, this.claim, this.loadSlice, this.loadSlice, this.wait, this.end];
    const settings = [this.pause, this.resume, this.change, this.delete, this.restore, this.cancel, this.backfill];
    const ends = [this.changeApp, this.changeDestination, this.changeSource, this.loseDays];
    const details = [this.changeSchema, this.countLate];
    this.actions = [...run, ...run, ...settings, ...ends, ...details].map((action) => action.bind(this));
  }

  act(connections: readonly Connection[]): Promise<unknown> {
    return pick(this.random, this.actions)(pick(this.random, connections));
  }

  private get ledger(): RunLedger {
    return this.app.get(RunLedger);
  }

  private sql(text: string, parameters: unknown[]): Promise<unknown> {
    return this.app.database.query(text, parameters);
  }

  private startRun({ id }: Connection): Promise<unknown> {
    const request = { organizationId: this.organization.id, connectionId: id, trigger: 'user', actor: null };
    if (this.random() < 0.8) return this.app.get(SyncService).start({ ...request, kind: 'manual' });
    return this.sql(
      `insert into runs (organization_id, id, connection_id, kind, trigger, track) values ($1, gen_random_uuid(), $2, 'manual', 'user', 'reload')
       on conflict do nothing`,
      [this.organization.id, id],
    );
  }

  private async claim({ id }: Connection): Promise<void> {
    const [run] = await this.app.database.query<{ id: string }>(
      `select id from runs where connection_id = $1 and state in ('queued', 'waiting') order by random() limit 1`,
      [id],
    );
    const lease = run && (await this.ledger.claim(this.organization.id, run.id));
    if (!lease) return;
    this.leases.set(id, lease);
    const from = daysAgo(1 + Math.floor(this.random() * 30));
    const slices = pick(this.random, [['berlin'], ['auckland'], ['berlin', 'auckland']]).map((accountId) => ({
      stream: 'campaign_daily',
      accountId,
      from,
      to: daysAgo(0),
    }));
    if (!lease.isPlanned) await ignoreLost(this.ledger.savePlan(lease, slices));
  }

  private async loadSlice({ id }: Connection): Promise<void> {
    const lease = this.leases.get(id);
    const [slice] = lease
      ? await this.app.database.query<SliceRow & Record<string, unknown>>(
          `select id, stream, account_id as "accountId", day_from::text as "from", day_to::text as "to", attempts, faults
             from run_slices where run_id = $1 and state = 'pending' limit 1`,
          [lease.runId],
        )
      : [];
    if (!lease || !slice) return;
    await ignoreLost(this.ledger.startSlice(lease, slice.id));
    const failure = pick(this.random, FAILURES);
    const kind = this.random();
    if (kind < 0.15) return ignoreLost(this.ledger.failSlice(lease, slice, pick(this.random, ['failed', 'skipped']), failure));
    const days = listDays(slice.from, slice.to).map((day): CoverageDay => this.coverageOf(day));
    const totals = { day: slice.from, rows: 7, costMicros: 0n, clicks: 0n, impressions: 0n };
    const outcome = {
      slice,
      expected: totals,
      found: { ...totals, rows: kind < 0.3 ? 3 : 7 },
      bytes: 1,
      totalCostMicros: null,
      stepMs: { extract: 1, stage: 1, load: 1, verify: 1 },
      metrics: { hasCost: true, clicks: null, impressions: null, conversions: null },
      days,
      // Some days are read before they are over.
      verifiedAt: new Date(Date.now() - pick(this.random, [0, 0, 5, 30]) * 3_600_000),
      readOn: daysAgo(0),
    };
    const mismatch = { ...failure, code: 'sync.mismatch' };
    await ignoreLost(
      kind < 0.3 ? this.ledger.failVerification(lease, outcome, mismatch) : this.ledger.commitSlice(lease, outcome),
    );
  }

  private coverageOf(day: string): CoverageDay {
    const totals = { day, rows: Math.floor(this.random() * 50), costMicros: 0n, clicks: 0n, impressions: 0n };
    return { day, state: pick(this.random, DAY_STATES), totals, conversions: null, contentHash: null };
  }

  private async wait({ id }: Connection): Promise<void> {
    const lease = this.leases.get(id);
    if (!lease) return;
    this.leases.delete(id);
    await ignoreLost(this.ledger.wait(lease, new Date(Date.now() + 60_000), pick(this.random, FAILURES)));
  }

  private async end({ id }: Connection): Promise<void> {
    const lease = this.leases.get(id);
    if (!lease) return;
    this.leases.delete(id);
    const state = pick(this.random, ENDS);
    await ignoreLost(this.ledger.finish(lease, state, state === 'failed' ? pick(this.random, FAILURES) : null, null));
  }

  private cancel({ id }: Connection): Promise<unknown> {
    return this.app.get(SyncService).cancelActive(this.organization.id, id);
  }

  private pause({ path }: Connection): Promise<unknown> {
    return this.organization.call.post(`${path}/pause`);
  }

  private resume({ path }: Connection): Promise<unknown> {
    return this.organization.call.post(`${path}/resume`);
  }

  private delete({ path }: Connection): Promise<unknown> {
    return this.random() < 0.5 ? Promise.resolve() : this.organization.call.delete(path);
  }

  private restore({ path }: Connection): Promise<unknown> {
    return this.organization.call.post(`${path}/restore`);
  }

  private async change({ path }: Connection): Promise<void> {
    const { body } = await this.organization.call.get<{ version: number }>(path);
    const changes = [
      { name: `Search ${pick(this.random, ['ä', 'a', 'B', 'z', '10', '9'])}` },
      { tags: [pick(this.random, ['brand', 'weekly', 'client'])] },
      { historyFrom: daysAgo(10 + Math.floor(this.random() * 30)) },
      { schedule: { kind: 'daily', atTime: pick(this.random, ['00:30', '12:00', '23:30']), timeZone: 'Europe/Berlin' } },
      { schedule: { kind: 'interval', everyMinutes: 60, timeZone: 'UTC', notBefore: '08:00' } },
      { schedule: { kind: 'cron', cron: '15 6 * * 1-5', timeZone: 'UTC' } },
      { schemaPolicy: pick(this.random, ['propagate_all', 'approve', 'pause']) },
      { emptyPolicy: pick(this.random, ['expect_rows', 'allow_empty']) },
      { lookbackDays: pick(this.random, [null, 5, 10]) },
    ];
    await this.organization.call.patch(path, { ...pick(this.random, changes), version: body.version });
  }

  /** Its access ends or returns, or the platform reports other time zones. */
  private async changeApp({ id }: Connection): Promise<unknown> {
    const side = pick(this.random, ['source', 'destination']);
    const app = `(select e.app_id from connections c join ${side}s e on e.id = c.${side}_id where c.id = $1)`;
    if (this.random() < 0.5)
      return this.sql(`update apps set state = $2 where id = ${app}`, [
        id,
        pick(this.random, ['connected', 'connected', 'needs_reauth', 'expiring']),
      ]);
    return this.sql(
      `update apps set accounts = (select coalesce(jsonb_agg(account || jsonb_build_object('timeZone', $2::text)), '[]') from jsonb_array_elements(accounts) account)
        where id = ${app}`,
      [id, pick(this.random, TIME_ZONES)],
    );
  }

  private changeDestination({ id }: Connection): Promise<unknown> {
    return this.sql(
      `update destinations set state = $2::destination_state, name = $3 where id = (select destination_id from connections where id = $1)`,
      [id, pick(this.random, ['ready', 'ready', 'unreachable']), pick(this.random, ['Warehouse', 'Lake'])],
    );
  }

  private changeSource({ id }: Connection): Promise<unknown> {
    return this.sql(
      'update sources set account_ids = $2, name = $3 where id = (select source_id from connections where id = $1)',
      [
        id,
        pick(this.random, [['berlin'], ['berlin', 'auckland'], ['berlin', 'auckland']]),
        pick(this.random, ['Search', 'Brand']),
      ],
    );
  }

  /** The source has another column, or its change is decided. */
  private changeSchema({ id }: Connection): Promise<unknown> {
    if (this.random() < 0.5)
      return this.sql(
        `update schema_changes set state = 'ignored', decided_at = now() where connection_id = $1 and state = 'pending'`,
        [id],
      );
    return this.sql(
      `insert into schema_changes (id, organization_id, connection_id, stream, kind, is_breaking, run_id)
       select gen_random_uuid(), organization_id, connection_id, 'campaign_daily', 'columns_added', false, id
         from runs where connection_id = $1 limit 1 on conflict do nothing`,
      [id],
    );
  }

  /** A count that is written after the run has ended. */
  private countLate({ id }: Connection): Promise<unknown> {
    return this.sql('update runs set api_calls = api_calls + 1 where connection_id = $1 and ended_at is not null', [id]);
  }

  /** As an audit marks them. */
  private loseDays({ id }: Connection): Promise<unknown> {
    const day = daysAgo(Math.floor(this.random() * 20));
    return this.sql(`update coverage set state = 'missing' where connection_id = $1 and day between $2 and $3`, [
      id,
      day,
      addDays(day, 2),
    ]);
  }

  private async backfill({ id }: Connection): Promise<unknown> {
    const { prisma } = this.app.get(Database);
    const organizationId = this.organization.id;
    if (this.random() < 0.5)
      return prisma.backfill.updateMany({
        where: { organizationId, connectionId: id },
        data: { state: pick(this.random, ['running', 'paused', 'completed']) },
      });
    const [dayFrom, dayTo] = [new Date(daysAgo(90)), new Date(daysAgo(60))];
    return prisma.backfill.create({
      data: {
        id: randomUUID(),
        organizationId,
        connectionId: id,
        mode: 'fill_missing',
        requestedFrom: dayFrom,
        dayFrom,
        dayTo,
        chunkDays: 31,
        estimate: {},
        actor: this.organization.owner.uid,
        chunks: {
          create: [
            {
              id: randomUUID(),
              stream: 'campaign_daily',
              accountId: 'berlin',
              dayFrom,
              dayTo,
              state: pick(this.random, ['done', 'pending']),
            },
          ],
        },
      },
    });
  }
}

/** Another action has ended the run, or other runs load the days. */
const ignoreLost = async (work: Promise<unknown>): Promise<void> => {
  await work.catch((error: unknown) => {
    if (!(error instanceof Error && ['LeaseLost', 'RunPostponed'].includes(error.constructor.name))) throw error;
  });
};
