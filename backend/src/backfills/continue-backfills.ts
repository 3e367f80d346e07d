import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { z } from 'zod';
import { accessSql } from '../access/index.js';
import { type BackfillMode, Prisma } from '../generated/prisma/client.js';
import { Connectors } from '../catalog/index.js';
import type { ProviderName } from '../connectors/kit/contract.js';
import { Entitlements } from '../billing/index.js';
import { ENV, type Env } from '../core/config/env.js';
import { Database } from '../core/database/database.js';
import { publishLive } from '../core/database/notifications.js';
import { TenantDatabase, type TenantQuery, type TenantTransaction, type TenantWork } from '../core/database/tenant-database.js';
import { defineJob, queueJob, defineScheduledJob } from '../core/jobs/define-job.js';
import { DomainEvents } from '../core/jobs/domain-events.js';
import { Jobs } from '../core/jobs/jobs.js';
import { LOGGER } from '../core/observability/logger.js';
import { type RunScope, setSwapRun, SyncService } from '../sync/index.js';
import { ACTIVE_BACKFILLS } from './backfill-states.js';
import { removeUnavailableDays, shrinkChunks } from './chunks.js';
import { queueDrop } from './resyncs/drop-resync-table.js';
import { settleSwaps } from './resyncs/settle-swaps.js';
import { failRunning, type EndedRun, listEndedRuns, settleChunks } from './settle-chunks.js';

// SQL: locks the connection, decides by aggregates over chunks, runs and slices, and sets states that depend on columns.

const continueBackfills = defineScheduledJob('continue-backfills', 'every-minute');

/** Chunks that one run loads: few enough that other runs get the days soon, enough to keep the cost of starting a run small. */
const CHUNKS_PER_RUN = 30;
/** Time until an audit of the destination is looked at again. No run may be active while it reads the tables. */
const AUDIT_WAIT_MS = 5_000;
/** Connections that are selected together. */
const BATCH = 500;

/** Before every id. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

const continueBackfill = defineJob('continue-backfill', z.object({ organizationId: z.uuid(), connectionId: z.uuid() }));

interface Facts extends Record<string, unknown> {
  provider: ProviderName;
  isDeleted: boolean;
  isPaused: boolean;
  /** A run of a backfill is active. */
  isBusy: boolean;
  isAudited: boolean;
}

interface NextBackfill extends Record<string, unknown> {
  id: string;
  mode: BackfillMode;
  stream: string;
  actor: string;
  pending: number;
  failed: number;
  isSwapped: boolean;
  startedAt: Date | null;
}

/** Loads the chunks of backfills in one run after the other. A connection loads one backfill at a time. */
@Injectable()
export class ContinueBackfills implements OnModuleInit {
  private readonly access: string;

  constructor(
    @Inject(ENV) env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly domainEvents: DomainEvents,
    private readonly entitlements: Entitlements,
    private readonly sync: SyncService,
    private readonly connectors: Connectors,
  ) {
    this.access = accessSql(env, 'paid');
  }

  onModuleInit(): void {
    this.domainEvents.on('run.ended', ({ organizationId, connectionId }) => this.continue(organizationId, connectionId));
    this.jobs.handle(continueBackfill, ({ organizationId, connectionId }) => this.continue(organizationId, connectionId));
    this.jobs.handle(continueBackfills, () => this.continueAll());
  }

  /** Resumes backfills whose connection was resumed or whose subscription is active again. */
  async continueAll(): Promise<void> {
    let after = NO_ID;
    for (;;) {
      const batch = await this.listMovable(after);
      for (const { organizationId, connectionId } of batch) await this.continueIsolated(organizationId, connectionId);
      const last = batch.at(-1);
      if (!last || batch.length < BATCH) return;
      after = last.connectionId;
    }
  }

  /** An error of one connection must not stop the backfills of others. The next round tries this one again. */
  private async continueIsolated(organizationId: string, connectionId: string): Promise<void> {
    try {
      await this.continue(organizationId, connectionId);
    } catch (error) {
      this.logger.error({ err: error, organizationId, connectionId }, 'the backfills of a connection could not be continued');
    }
  }

  /** Without those that still wait for their connection or subscription. */
  private async listMovable(after: string): Promise<{ organizationId: string; connectionId: string }[]> {
    // Intentionally over all organizations: it only selects ids.
    const { rows } = await this.database.pool.query<{ organizationId: string; connectionId: string }>(
      `select distinct b.organization_id as "organizationId", b.connection_id as "connectionId"
         from backfills b
         join organizations o on o.id = b.organization_id and o.deleted_at is null
         join connections c on c.organization_id = b.organization_id and c.id = b.connection_id
         left join subscriptions paid on paid.organization_id = b.organization_id
        where b.connection_id > $1 and (b.state in ('scheduled', 'running') or b.paused_reason in ('connection', 'subscription')
          and (c.deleted_at is not null or (c.desired = 'active' and ${this.access} <> 'closed')))
        order by b.connection_id limit ${BATCH}`,
      [after],
    );
    return rows;
  }

  async continue(organizationId: string, connectionId: string): Promise<void> {
    const isClosed = await this.entitlements.isClosed(organizationId);
    await this.tenants.write(organizationId, (transaction, query) =>
      this.continueWithin({ transaction, query }, organizationId, connectionId, isClosed),
    );
  }

  /** The lock on the connection makes concurrent calls queue one run. */
  async continueWithin(work: TenantWork, organizationId: string, connectionId: string, isClosed: boolean): Promise<void> {
    const { transaction, query } = work;
    const facts = await readFacts(query, connectionId);
    if (!facts) return;
    const first = this.connectors.firstAvailableDay(facts.provider);
    if (first !== null) await removeUnavailableDays(query, connectionId, first);
    for (const run of await listEndedRuns(query, connectionId)) await settle(work, run);
    await settleSwaps(work, connectionId);
    const reason = facts.isPaused ? 'connection' : isClosed ? 'subscription' : null;
    if (facts.isDeleted) await endAll(work, organizationId, connectionId);
    else if (reason) await pauseAll(transaction, connectionId, reason);
    else {
      await resumeAll(query, connectionId);
      await this.startNext(work, { organizationId, connectionId }, facts);
    }
    await publishLive(query, [{ connectionId, type: 'connection', data: { connectionId } }]);
  }

  private async startNext(
    { transaction, query }: TenantWork,
    { organizationId, connectionId }: { organizationId: string; connectionId: string },
    { isBusy, isAudited }: Facts,
  ): Promise<void> {
    if (isBusy) return;
    const next = await this.findNext(query, connectionId);
    if (!next) return;
    if (isAudited) {
      const options = { key: `backfill:${connectionId}`, runAt: new Date(Date.now() + AUDIT_WAIT_MS) };
      return queueJob(query, continueBackfill, { organizationId, connectionId }, options);
    }
    const chunks = await listNextChunks(query, connectionId, next.id);
    const isSwap = chunks.length === 0;
    const scope: RunScope = {
      isReplace: next.mode !== 'fill_missing',
      ranges: chunks.map(({ id: _, ...range }) => range),
      ...(next.mode === 'resync' && { resync: { id: next.id, stream: next.stream, isSwap } }),
    };
    const request = { connectionId, kind: 'backfill', trigger: 'user', actor: next.actor, track: 'backfill', scope } as const;
    const [runId] = await this.sync.startWithin(query, [request]);
    if (!runId) return;
    if (isSwap) await setSwapRun(transaction, next.id, runId);
    await transaction.backfillChunk.updateMany({
      where: { id: { in: chunks.map(({ id }) => id) } },
      data: { state: 'running', runId, attempts: { increment: 1 }, failure: Prisma.DbNull },
    });
    const startedAt = next.startedAt ?? new Date();
    await transaction.backfill.updateMany({ where: { id: next.id }, data: { state: 'running', startedAt } });
  }

  /** Ends backfills without remaining chunks until one has some, or has tables to swap: the oldest first. */
  private async findNext(query: TenantQuery, connectionId: string): Promise<NextBackfill | null> {
    for (const row of await listActive(query, connectionId)) {
      const isUnswapped = row.mode === 'resync' && !row.isSwapped && row.failed === 0;
      if (row.pending > 0 || isUnswapped) return row;
      await complete(query, row.id);
      // What failed because of the old table is loaded at once.
      if (row.isSwapped)
        await this.sync.startWithin(query, [{ connectionId, kind: 'catch_up', trigger: 'user', actor: row.actor }]);
    }
    return null;
  }
}

async function readFacts(query: TenantQuery, connectionId: string): Promise<Facts | undefined> {
  await query('select 1 from connections where organization_id = $1 and id = $2 for no key update', [connectionId]);
  const [facts] = await query<Facts>(
    `select a.provider, c.deleted_at is not null as "isDeleted", c.desired = 'paused' as "isPaused",
            exists (select from runs r where r.organization_id = $1 and r.connection_id = c.id and r.track = 'backfill'
                       and r.ended_at is null) as "isBusy",
            exists (select from destination_audits a where a.organization_id = $1 and a.connection_id = c.id
                       and a.ended_at is null) as "isAudited"
       from connections c
       join sources s on s.organization_id = $1 and s.id = c.source_id
       join apps a on a.organization_id = $1 and a.id = s.app_id
      where c.organization_id = $1 and c.id = $2`,
    [connectionId],
  );
  return facts;
}

async function settle(work: TenantWork, { runId, backfillId, failure, isBroken }: EndedRun): Promise<void> {
  await settleChunks(work.query, runId);
  await shrinkChunks(work, backfillId, runId);
  if (isBroken) await failRunning(work.transaction, backfillId, failure);
}

/** Active backfills, the oldest first. */
const listActive = (query: TenantQuery, connectionId: string): Promise<NextBackfill[]> =>
  query<NextBackfill>(
    `select b.id, b.mode, b.streams[1] as stream, b.actor, b.started_at as "startedAt", counted.pending, counted.failed,
            exists (select from resyncs s where s.organization_id = $1 and s.backfill_id = b.id and s.swapped_at is not null) as "isSwapped"
       from backfills b
      cross join lateral (
         select count(*) filter (where k.state in ('pending', 'running'))::int as pending, count(*) filter (where k.state = 'failed')::int as failed
           from backfill_chunks k where k.organization_id = $1 and k.backfill_id = b.id) counted
      where b.organization_id = $1 and b.connection_id = $2 and b.state in ('scheduled', 'running')
      order by b.state desc, b.id`,
    [connectionId],
  );

async function complete(query: TenantQuery, backfillId: string): Promise<void> {
  await query(
    `update backfills b
        set state = case when failed.chunks = 0 then 'completed' when failed.chunks = failed.total then 'failed'
                         when b.mode = 'resync' then 'failed' else 'completed_with_errors' end::backfill_state,
            failure = failed.failure, ended_at = now()
       from (select count(*) filter (where k.state = 'failed') as chunks, count(*) as total,
                    (array_agg(k.failure order by k.day_to desc) filter (where k.failure is not null))[1] as failure
               from backfill_chunks k where k.organization_id = $1 and k.backfill_id = $2) failed
      where b.organization_id = $1 and b.id = $2`,
    [backfillId],
  );
}

interface NextChunk extends Record<string, unknown> {
  id: string;
  stream: string;
  accountId: string;
  from: string;
  to: string;
}

/** The newest chunks. Those with days that another run is loading come last. */
const listNextChunks = (query: TenantQuery, connectionId: string, backfillId: string): Promise<NextChunk[]> =>
  query<NextChunk>(
    `select k.id, k.stream, k.account_id as "accountId", k.day_from::text as from, k.day_to::text as to
       from backfill_chunks k where k.organization_id = $1 and k.backfill_id = $3 and k.state = 'pending'
      order by exists (select from runs r join run_slices s on s.organization_id = $1 and s.run_id = r.id
                        where r.organization_id = $1 and r.connection_id = $2 and r.ended_at is null
                          and s.state in ('pending', 'running') and s.stream = k.stream and s.account_id = k.account_id
                          and s.day_from <= k.day_to and k.day_from <= s.day_to),
               k.day_to desc, k.stream, k.account_id limit ${CHUNKS_PER_RUN}`,
    [connectionId, backfillId],
  );

const pauseAll = (transaction: TenantTransaction, connectionId: string, pausedReason: string): Promise<unknown> =>
  transaction.backfill.updateMany({
    where: { connectionId, state: { in: ['scheduled', 'running'] } },
    data: { state: 'paused', pausedReason },
  });

const resumeAll = (query: TenantQuery, connectionId: string): Promise<unknown> =>
  query(
    `update backfills set state = case when started_at is null then 'scheduled' else 'running' end::backfill_state, paused_reason = null
      where organization_id = $1 and connection_id = $2 and state = 'paused' and paused_reason <> 'user'`,
    [connectionId],
  );

async function endAll({ transaction, query }: TenantWork, organizationId: string, connectionId: string): Promise<void> {
  const ended = await transaction.backfill.updateManyAndReturn({
    where: { connectionId, state: { in: ACTIVE_BACKFILLS } },
    data: { state: 'cancelled', pausedReason: null, endedAt: new Date() },
    select: { id: true, mode: true },
  });
  for (const { id } of ended.filter(({ mode }) => mode === 'resync')) await queueDrop(query, organizationId, id);
}
