import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AnalyticsService } from '../analytics/index.js';
import { AuditService } from '../audit/index.js';
import { Entitlements } from '../billing/index.js';
import { type BackfillMode, Prisma } from '../generated/prisma/client.js';
import { dateToDay } from '../core/database/days.js';
import { newId } from '../core/database/identifiers.js';
import { notFound, Problem } from '../core/http/problem.js';
import { TenantDatabase, type TenantQuery, type TenantWork } from '../core/database/tenant-database.js';
import { findIdleRun } from '../read-models/index.js';
import { SLICE_DAYS, SyncService } from '../sync/index.js';
import { statesBefore } from './backfill-states.js';
import type { BackfillBody, BackfillStateName } from './backfills.dto.js';
import { insertChunks } from './chunks.js';
import { ContinueBackfills } from './continue-backfills.js';
import { EstimateBackfill } from './estimate-backfill.js';
import { type Days, assertNoOverlap, insertBackfill, lockActive, nothingMissing } from './insert-backfill.js';
import { PlanBackfill } from './plan-backfill.js';
import { queueDrop } from './resyncs/drop-resync-table.js';

// SQL: locks the connection's row.

interface Backfill extends Days {
  connection: string;
  state: BackfillStateName;
  mode: BackfillMode;
  isStarted: boolean;
  isSwapping: boolean;
}

@Injectable()
export class BackfillsService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly plans: PlanBackfill,
    private readonly estimates: EstimateBackfill,
    private readonly continuing: ContinueBackfills,
    private readonly sync: SyncService,
    private readonly analytics: AnalyticsService,
    private readonly audit: AuditService,
    private readonly entitlements: Entitlements,
  ) {}

  async start(actor: Actor, connectionId: string, body: BackfillBody): Promise<string> {
    const { organizationId } = actor;
    const plan = await this.plans.plan(organizationId, connectionId, body);
    const estimate = await this.estimates.estimatePlan(organizationId, plan);
    const id = newId();
    await this.tenants.write(organizationId, async (transaction, query) => {
      await lockActive(query, plan);
      await assertNoOverlap(transaction, { ...plan, id, accountIds: plan.accounts.map(({ externalId }) => externalId) });
      await insertBackfill(transaction, id, actor, plan, estimate);
      if ((await insertChunks(query, id, plan, SLICE_DAYS)) === 0) throw nothingMissing();
      await this.analytics.raiseOfConnection(query, {
        name: 'Connection Historical Backfill Started',
        organizationId,
        connectionId,
        userId: actor.uid,
      });
      await this.record(actor, 'started', { id, connection: plan.name }, query);
      await this.continuing.continueWithin({ transaction, query }, organizationId, connectionId, false);
    });
    return id;
  }

  /** The active run stops before its next slice. */
  async pause(actor: Actor, connectionId: string, backfillId: string): Promise<void> {
    await this.move(actor, connectionId, backfillId, 'paused');
    await this.stopIdleRun(actor.organizationId, backfillId);
  }

  async resume(actor: Actor, connectionId: string, backfillId: string): Promise<void> {
    const { organizationId } = actor;
    const isClosed = await this.entitlements.isClosed(organizationId);
    await this.tenants.write(organizationId, async (transaction, query) => {
      const backfill = await this.lock({ transaction, query }, connectionId, backfillId);
      if (backfill.state !== 'paused') throw wrongState(backfill.state, 'paused');
      await lockActive(query, { connectionId, name: backfill.connection });
      const state = backfill.isStarted ? 'running' : 'scheduled';
      await transaction.backfill.updateMany({ where: { id: backfillId }, data: { state, pausedReason: null } });
      await transaction.backfillChunk.updateMany({ where: { backfillId, state: 'pending' }, data: { attempts: 0 } });
      await this.record(actor, 'resumed', backfill, query);
      await this.continuing.continueWithin({ transaction, query }, organizationId, connectionId, isClosed);
    });
  }

  /** Loaded days stay. The active run stops before its next slice. */
  async cancel(actor: Actor, connectionId: string, backfillId: string): Promise<void> {
    await this.move(actor, connectionId, backfillId, 'cancelled');
    await this.stopIdleRun(actor.organizationId, backfillId);
  }

  /** Loads the failed chunks of an ended backfill again, and those that it did not reach. */
  async retryFailed(actor: Actor, connectionId: string, backfillId: string): Promise<void> {
    const { organizationId } = actor;
    const isClosed = await this.entitlements.isClosed(organizationId);
    await this.tenants.write(organizationId, async (transaction, query) => {
      const backfill = await this.lock({ transaction, query }, connectionId, backfillId);
      if (backfill.state !== 'completed_with_errors' && backfill.state !== 'failed')
        throw wrongState(backfill.state, 'completed with errors or failed');
      await lockActive(query, { connectionId, name: backfill.connection });
      await assertNoOverlap(transaction, backfill);
      await transaction.backfillChunk.updateMany({
        where: { backfillId, state: { in: ['failed', 'pending'] } },
        data: { state: 'pending', failure: Prisma.DbNull, attempts: 0 },
      });
      const restarted = { state: 'running', failure: Prisma.DbNull, endedAt: null } as const;
      await transaction.backfill.updateMany({ where: { id: backfillId }, data: restarted });
      await this.record(actor, 'retried', backfill, query);
      await this.continuing.continueWithin({ transaction, query }, organizationId, connectionId, isClosed);
    });
  }

  /** Ends or pauses the backfill. A worker reads the state before each slice. */
  private async move(actor: Actor, connectionId: string, backfillId: string, to: 'paused' | 'cancelled'): Promise<void> {
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      const backfill = await this.lock({ transaction, query }, connectionId, backfillId);
      const { state, mode, isSwapping } = backfill;
      if (!statesBefore(to).includes(state) || (state === 'failed' && mode !== 'resync')) throw wrongState(state, 'active');
      if (isSwapping) throw swapping();
      const ended = to === 'cancelled' ? { pausedReason: null, endedAt: new Date() } : { pausedReason: 'user', endedAt: null };
      await transaction.backfill.updateMany({ where: { id: backfillId }, data: { state: to, ...ended } });
      if (to === 'cancelled' && mode === 'resync') await queueDrop(query, actor.organizationId, backfillId);
      await this.record(actor, to, backfill, query);
    });
  }

  /** A run that works stops itself. One that waits for a slot or a report would keep the days until it continues. */
  private async stopIdleRun(organizationId: string, backfillId: string): Promise<void> {
    const idle = await findIdleRun(this.tenants, organizationId, backfillId);
    if (idle) await this.sync.cancelRun(organizationId, idle);
  }

  /** Locks the connection, as every change of a backfill does, and reads the backfill. */
  private async lock({ transaction, query }: TenantWork, connectionId: string, backfillId: string): Promise<Backfill> {
    await query('select 1 from connections where organization_id = $1 and id = $2 for no key update', [connectionId]);
    const found = await transaction.backfill.findFirst({
      where: { id: backfillId, connectionId, connection: { deletedAt: null } },
      include: { connection: { select: { name: true } }, resync: { select: { swapStartedAt: true } } },
    });
    if (!found) throw notFound('The backfill');
    const { state, mode, streams, accountIds } = found;
    return {
      ...{ id: backfillId, connectionId, connection: found.connection.name, state, mode, streams, accountIds },
      from: dateToDay(found.dayFrom),
      to: dateToDay(found.dayTo),
      isStarted: found.startedAt !== null,
      isSwapping: (found.resync?.swapStartedAt ?? null) !== null,
    };
  }

  private record(
    actor: Actor,
    verb: string,
    { id, connection }: { id: string; connection: string },
    query: TenantQuery,
  ): Promise<void> {
    return this.audit.record(actor, { action: `backfill.${verb}`, target: { type: 'backfill', id, name: connection } }, query);
  }
}

const wrongState = (state: BackfillStateName, needed: string): Problem =>
  new Problem('backfill.wrong_state', {
    detail: `The backfill is ${state.replaceAll('_', ' ')}. It has to be ${needed}.`,
    action: 'Reload the page',
  });

/** It takes a moment, and either table is complete. */
const swapping = (): Problem =>
  new Problem('backfill.swapping', {
    detail: 'The new table is taking the place of the old one.',
    action: 'Wait until it has ended',
  });
