import { Injectable } from '@nestjs/common';
import { Alerts } from '../alerts/index.js';
import type { Day } from '../connectors/kit/contract.js';
import { Prisma } from '../generated/prisma/client.js';
import { dayToDate } from '../core/database/days.js';
import { newId } from '../core/database/identifiers.js';
import { type TenantClient, TenantDatabase, type TenantWork } from '../core/database/tenant-database.js';
import { SyncService } from '../sync/index.js';
import type { ConnectionEntry } from './connections.dto.js';
import { ConnectionsQueries } from './connections.queries.js';
import { resumed } from './pausing/resumed.js';
import { nextRunAt, type Schedule } from './schedule/schedule.js';

type Transaction = Pick<TenantClient, 'connection' | '$queryRawUnsafe'>;

/** Also without webhooks, the days of an account are at most an hour old. */
const HOURLY: Schedule = { kind: 'interval', everyMinutes: 60, timeZone: 'UTC' };
const STREAMS = ['payment_events'];

export interface PaymentLoad {
  paymentId: string;
  sourceId: string;
  name: string;
  historyFrom: Day;
  createdBy: string;
}

/**
 * The connections of payments: one for each destination. Runs, coverage, verification and audits are those of every connection;
 * only their settings belong to the payment.
 */
@Injectable()
export class PaymentConnections {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly queries: ConnectionsQueries,
    private readonly sync: SyncService,
    private readonly alerts: Alerts,
  ) {}

  listOfPayments(organizationId: string, paymentIds: string[]): Promise<(ConnectionEntry & { paymentId: string })[]> {
    return this.queries.listOfPayments(organizationId, paymentIds);
  }

  /**
   * Adds missing connections, deletes those of other destinations, and updates the rest. A destination that is added again gets a
   * new connection, because the settings may have changed in the meantime. Returns the ids of the deleted connections.
   */
  async saveWithin(
    transaction: Transaction,
    organizationId: string,
    { paymentId, sourceId, name, historyFrom, createdBy }: PaymentLoad,
    destinationIds: string[],
  ): Promise<string[]> {
    const removed = await transaction.connection.updateManyAndReturn({
      where: { paymentId, deletedAt: null, destinationId: { notIn: destinationIds } },
      data: { deletedAt: new Date(), desired: 'paused', nextRunAt: null },
      select: { id: true },
    });
    await transaction.connection.updateMany({
      where: { paymentId, deletedAt: null },
      data: { name, historyFrom: dayToDate(historyFrom), version: { increment: 1 } },
    });
    const kept = await transaction.connection.findMany({
      where: { paymentId, deletedAt: null },
      select: { destinationId: true },
    });
    const known = new Set(kept.map(({ destinationId }) => destinationId));
    for (const destinationId of destinationIds.filter((id) => !known.has(id))) {
      const schedule = { ...HOURLY } as Prisma.InputJsonObject;
      await transaction.connection.create({
        data: {
          ...{ id: newId(), organizationId, paymentId, sourceId, destinationId, name, createdBy, schedule },
          ...{ streams: STREAMS, leftOut: {}, historyFrom: dayToDate(historyFrom), nextRunAt: nextRunAt(HOURLY, new Date()) },
        },
      });
    }
    return removed.map(({ id }) => id);
  }

  /** Queues a run of each active connection that has none. */
  async startWithin({ transaction, query }: TenantWork, paymentId: string, trigger: string, actor: string | null): Promise<void> {
    const rows = await transaction.connection.findMany({
      where: { paymentId, deletedAt: null, desired: 'active' },
      orderBy: { id: 'asc' },
      select: { id: true },
    });
    const kind = trigger === 'user' ? ('manual' as const) : ('catch_up' as const);
    await this.sync.startWithin(
      query,
      rows.map(({ id }) => ({ connectionId: id, kind, trigger, actor })),
    );
  }

  async pauseWithin(transaction: Transaction, paymentId: string, uid: string): Promise<void> {
    const paused = { desired: 'paused', pausedAt: new Date(), pausedBy: uid, pausedReason: 'user' } as const;
    await transaction.connection.updateMany({
      where: { paymentId, deletedAt: null },
      data: { ...paused, pausedFailure: Prisma.DbNull, nextRunAt: nextRunAt(HOURLY, new Date()) },
    });
  }

  /** Resumes the connections that a user paused with the payment, and those that were paused automatically. */
  async resumeWithin({ transaction, query }: TenantWork, organizationId: string, paymentId: string): Promise<void> {
    const now = new Date();
    const connections = await transaction.connection.updateManyAndReturn({
      where: { paymentId, deletedAt: null, desired: 'paused' },
      data: { ...resumed(now), nextRunAt: nextRunAt(HOURLY, now) },
      select: { id: true },
    });
    for (const { id } of connections) await this.alerts.recover(query, organizationId, id, ['connection.paused']);
  }

  async countWithin(transaction: Transaction, paymentId: string): Promise<{ active: number; paused: number }> {
    const where = { paymentId, deletedAt: null };
    const all = await transaction.connection.count({ where });
    const paused = await transaction.connection.count({ where: { ...where, desired: 'paused' } });
    return { active: all - paused, paused };
  }

  /** Returns the ids of the deleted connections. */
  async deleteWithin(transaction: Transaction, paymentId: string, deletedAt: Date): Promise<string[]> {
    const deleted = await transaction.connection.updateManyAndReturn({
      where: { paymentId, deletedAt: null },
      data: { deletedAt, desired: 'paused', nextRunAt: null },
      select: { id: true },
    });
    return deleted.map(({ id }) => id);
  }

  /** Restores the connections that were deleted together with the payment, and returns their destinations. */
  async restoreWithin(
    transaction: Transaction,
    paymentId: string,
    { deletedAt, isPaused }: { deletedAt: Date; isPaused: boolean },
  ): Promise<string[]> {
    const now = new Date();
    const restored = await transaction.connection.updateManyAndReturn({
      where: { paymentId, deletedAt },
      data: { deletedAt: null, ...(isPaused ? { desired: 'paused' } : resumed(now)), nextRunAt: nextRunAt(HOURLY, now) },
    });
    return restored.map(({ destinationId }) => destinationId);
  }

  /** Cancels active runs, for example after a pause. */
  async cancelActive(organizationId: string, paymentId: string): Promise<void> {
    const connections = await this.tenants.of(organizationId).connection.findMany({ where: { paymentId }, select: { id: true } });
    for (const { id } of connections) await this.sync.cancelActive(organizationId, id);
  }

  /** Names of connections of other payments that load one of the accounts into one of the destinations. */
  async listRivals(
    transaction: Transaction,
    { paymentId, accountIds, destinationIds }: { paymentId: string | null; accountIds: string[]; destinationIds: string[] },
  ): Promise<string[]> {
    const rows = await transaction.connection.findMany({
      where: {
        ...{ deletedAt: null, destinationId: { in: destinationIds }, source: { accountIds: { hasSome: accountIds } } },
        AND: [{ paymentId: { not: null } }, ...(paymentId === null ? [] : [{ paymentId: { not: paymentId } }])],
      },
      orderBy: { name: 'asc' },
      take: 10,
      select: { name: true },
    });
    return rows.map(({ name }) => name);
  }
}
