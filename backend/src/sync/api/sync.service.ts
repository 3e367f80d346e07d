import { Injectable } from '@nestjs/common';
import type { RunKind } from '../../generated/prisma/client.js';
import { Notifications } from '../../core/database/notifications.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import { RunLedger } from '../ledger/run-ledger.js';
import { ACTIVE_STATES } from '../run/run-states.js';
import { RunQueue, type RunRequest } from '../jobs/run-queue.js';
import type { RunScope } from '../run/run-scope.js';
import type { RunSummary } from './runs.dto.js';
import { RunsQueries } from './runs.queries.js';

// SQL: runs in the caller's transaction, and changes a queued run and a started one differently in one statement.

@Injectable()
export class SyncService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly queue: RunQueue,
    private readonly ledger: RunLedger,
    private readonly notifications: Notifications,
    private readonly runs: RunsQueries,
  ) {}

  listSummaries(organizationId: string, runIds: string[]): Promise<RunSummary[]> {
    return this.runs.listSummaries(organizationId, runIds);
  }

  getSummary(organizationId: string, runId: string): Promise<RunSummary> {
    return this.runs.getRunSummary(organizationId, runId);
  }

  /** The newest runs of a connection, newest first. */
  async listLatest(organizationId: string, connectionId: string, limit: number): Promise<RunSummary[]> {
    return (await this.runs.listRuns(organizationId, { connectionId, limit })).items;
  }

  /** Queues a run. Runs of a connection never overlap: if one is active, its id is returned. */
  start(request: RunRequest): Promise<string> {
    return this.tenants.transaction(request.organizationId, (query) => this.startIn(query, request));
  }

  /** `start` in the caller's transaction. */
  async startIn(query: TenantQuery, request: RunRequest): Promise<string> {
    const [started] = await this.queue.addWithin(query, [request]);
    if (started) return started;
    const active = await findActive(query, request.connectionId);
    const isTaken =
      active && (request.kind !== 'manual' || active.kind === 'manual' || (await widen(query, active.id, request.actor)));
    // The active run ended between the two statements: retry.
    return isTaken ? active.id : this.startIn(query, request);
  }

  /**
   * Queues a run that plans with the present settings. A run that has started keeps its plan, so the new run follows it. A connection
   * that was paused or deleted in the meantime gets none.
   */
  async startAfterActive(request: RunRequest): Promise<void> {
    const { organizationId, connectionId, actor } = request;
    for (;;) {
      const isStarted = await this.tenants.transaction(organizationId, async (query) => {
        if ((await this.lockIn(query, connectionId)) !== 'active') return true;
        if ((await this.queue.addWithin(query, [request])).length > 0) return true;
        const active = await findActive(query, connectionId);
        return active !== undefined && (await widen(query, active.id, actor));
      });
      // The active run ended between the two statements: retry.
      if (isStarted) return;
    }
  }

  /** In the caller's transaction. Queues a run of exactly the given days, which may be active beside the regular run. */
  async startReloadIn(query: TenantQuery, request: RunRequest & { scope: RunScope }): Promise<string> {
    const [runId] = await this.queue.addWithin(query, [{ ...request, track: 'reload' }]);
    if (runId) return runId;
    throw new Problem('reload.active', {
      detail: 'Another reload of this connection is active.',
      action: 'Try again when it has ended',
    });
  }

  /** Queues a run for each of many connections, in the caller's transaction. */
  startWithin(query: TenantQuery, requests: Omit<RunRequest, 'organizationId'>[]): Promise<string[]> {
    return this.queue.addWithin(query, requests);
  }

  async cancel(organizationId: string, runId: string): Promise<void> {
    const run = await this.tenants
      .of(organizationId)
      .run.findFirst({ where: { id: runId }, select: { connectionId: true, track: true } });
    if (!run) throw notFound('The run');
    if (run.track === 'backfill')
      throw new Problem('run.of_backfill', { detail: 'A backfill started this run.', action: 'Pause or cancel the backfill' });
    if (!(await this.ledger.cancel(organizationId, runId))) throw new Problem('run.not_active', 'The run has already ended.');
    const { connectionId } = run;
    await this.notifications.publish({ organizationId, connectionId, type: 'connection', data: { connectionId } });
  }

  /** The connection of an ended run. */
  async connectionToRetry(organizationId: string, runId: string): Promise<string> {
    const run = await this.tenants
      .of(organizationId)
      .run.findFirst({ where: { id: runId }, select: { connectionId: true, track: true, endedAt: true } });
    if (!run) throw notFound('The run');
    if (run.track === 'backfill')
      throw new Problem('run.of_backfill', {
        detail: 'A backfill started this run.',
        action: 'Retry the failed chunks of the backfill',
      });
    if (run.endedAt === null)
      throw new Problem('run.active', {
        detail: 'The run has not ended.',
        action: 'Wait until it has ended, or cancel it',
      });
    return run.connectionId;
  }

  /** Ends a run, whichever worker holds it. False: it has ended. */
  cancelRun(organizationId: string, runId: string): Promise<boolean> {
    return this.ledger.cancel(organizationId, runId);
  }

  /** Cancels the active runs of a connection that is being paused, deleted or changed. */
  cancelActive(organizationId: string, connectionId: string): Promise<void> {
    return this.tenants.transaction(organizationId, (query) => this.cancelActiveIn(query, organizationId, connectionId));
  }

  /**
   * `cancelActive` in the caller's transaction, which must not have locked the connection: runs are locked before connections. A run
   * that is added at the same time may stay active.
   * @param connectionId null: of all connections
   */
  cancelActiveIn(query: TenantQuery, organizationId: string, connectionId: string | null): Promise<void> {
    return this.ledger.cancelActive(query, organizationId, connectionId);
  }

  /**
   * Locks the connection until the caller's transaction ends, so that no user pauses or deletes it before the run is queued. Null: it
   * is deleted.
   */
  async lockIn(query: TenantQuery, connectionId: string): Promise<'active' | 'paused' | null> {
    await this.ledger.lockActive(query, connectionId);
    const [connection] = await query<{ desired: 'active' | 'paused' }>(
      `select desired from connections where organization_id = $1 and id = $2 and deleted_at is null for no key update`,
      [connectionId],
    );
    return connection?.desired ?? null;
  }

  /** Before the caller locks the connection, and may cancel its runs afterwards. */
  async lockActiveIn(query: TenantQuery, connectionId: string): Promise<void> {
    await this.ledger.lockActive(query, connectionId);
  }
}

async function findActive(query: TenantQuery, connectionId: string): Promise<{ id: string; kind: RunKind } | undefined> {
  const [active] = await query<{ id: string; kind: RunKind }>(
    `select id, kind from runs
      where organization_id = $1 and connection_id = $2::uuid and track = 'regular' and state = any($3::run_state[])`,
    [connectionId, ACTIVE_STATES],
  );
  return active;
}

/**
 * A user requested the whole window while a narrower run is active. A queued run is changed into the requested one; a started run
 * is followed by it. False: the run has ended.
 */
async function widen(query: TenantQuery, runId: string, actor: string | null): Promise<boolean> {
  const widened = await query(
    `update runs set kind = case when state = 'queued' then 'manual' else kind end,
            trigger = case when state = 'queued' then 'user' else trigger end,
            actor = case when state = 'queued' then $3 else actor end,
            has_follow_up = has_follow_up or state <> 'queued',
            follow_up_actor = case when state = 'queued' then follow_up_actor else $3 end
      where organization_id = $1 and id = $2::uuid and ended_at is null
      returning id`,
    [runId, actor],
  );
  return widened.length > 0;
}
