import { Injectable } from '@nestjs/common';
import type { Conversion, ConversionRun, Prisma } from '../../generated/prisma/client.js';
import { Prisma as PrismaValues } from '../../generated/prisma/client.js';
import { newId } from '../../core/database/identifiers.js';
import { publishLive } from '../../core/database/notifications.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { queueJob } from '../../core/jobs/define-job.js';
import { type Claim, ConversionLedger } from '../ledger/conversion-ledger.js';
import { ConversionAlerts } from '../pausing/conversion-alerts.js';
import type { RunCounts } from './progress.js';
import { runConversion } from './run-job.js';

// SQL: fenced by the claim in the same statement, with the next moments of events and requests.

/** How a run ends. */
export interface RunEnd {
  state: 'waiting' | 'succeeded' | 'partial' | 'failed';
  failure: (Failure & Prisma.InputJsonObject) | null;
  /** When it continues automatically; null: with the schedule, or after a user has fixed the cause. */
  waitSeconds: number | null;
}

export interface ClaimedConversion {
  claim: Claim;
  conversion: Conversion;
  runId: string;
  /** What the run counted before it waited, or before its worker crashed. */
  counts: RunCounts;
}

/** Starts, claims and ends the runs of a conversion. Runs of one conversion never overlap. */
@Injectable()
export class ConversionRuns {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly ledger: ConversionLedger,
    private readonly alerts: ConversionAlerts,
  ) {}

  start(organizationId: string, conversionId: string, runAt?: Date): Promise<void> {
    return this.tenants.transaction(organizationId, (query) => startWithin(query, organizationId, conversionId, runAt));
  }

  /** @param isHealthyOnly conversions whose last run failed read with their next attempt, which is planned already */
  async startAllOfApp(organizationId: string, appId: string, isHealthyOnly = false): Promise<void> {
    await this.tenants.write(organizationId, async (transaction, query) => {
      const rows = await transaction.conversion.findMany({
        where: {
          ...{ deletedAt: null, desired: 'active' },
          OR: [{ targetAppId: appId }, { sourceAppId: appId }, { sourceDestination: { appId } }],
        },
        select: { id: true, failures: true },
        orderBy: { id: 'asc' },
      });
      for (const { id, failures } of rows) {
        await transaction.conversion.update({ where: { id }, data: READ_AGAIN });
        if (!isHealthyOnly || failures === 0) await startWithin(query, organizationId, id);
      }
    });
  }

  /** Null if the conversion is paused, or it or its organization is deleted. */
  async claim(organizationId: string, conversionId: string): Promise<ClaimedConversion | null> {
    return this.tenants.write(organizationId, async (transaction) => {
      const [conversion] = await transaction.conversion.updateManyAndReturn({
        where: { id: conversionId, deletedAt: null, desired: 'active', organization: { deletedAt: null } },
        data: { leaseEpoch: { increment: 1 }, waitingUntil: null },
      });
      if (!conversion) return null;
      const isScheduled = conversion.nextRunAt !== null && conversion.nextRunAt <= new Date();
      const { pendingReads } = isScheduled
        ? await transaction.conversion.update({ where: { id: conversionId }, data: READ_AGAIN })
        : conversion;
      // The worker of an open run has crashed or waits: the run continues.
      const open = await transaction.conversionRun.findFirst({
        where: { conversionId, state: { in: ['running', 'waiting'] } },
        orderBy: { id: 'desc' },
      });
      const runId = open?.id ?? newId();
      if (open) await transaction.conversionRun.update({ where: { id: runId }, data: { state: 'running' } });
      else await transaction.conversionRun.create({ data: { id: runId, organizationId, conversionId } });
      const claim = { organizationId, conversionId, epoch: conversion.leaseEpoch };
      return { claim, conversion: { ...conversion, pendingReads }, runId, counts: countsOf(open) };
    });
  }

  /** What was asked for while the source was read stays for the next run. */
  async completeReads({ organizationId, conversionId, epoch }: Claim, count: number): Promise<void> {
    await this.tenants
      .of(organizationId)
      .conversion.updateMany({ where: { id: conversionId, leaseEpoch: epoch }, data: { pendingReads: { decrement: count } } });
  }

  async report(claim: Claim, runId: string, counts: RunCounts): Promise<void> {
    await this.tenants.of(claim.organizationId).conversionRun.update({ where: { id: runId }, data: { ...counts } });
    await this.tenants.transaction(claim.organizationId, (query) => publish(query, claim.conversionId));
  }

  /** The end of a run, its alerts and an automatic pause commit together. */
  async finish(claim: Claim, runId: string, counts: RunCounts, { state, failure, waitSeconds }: RunEnd): Promise<void> {
    const { organizationId, conversionId } = claim;
    const isFailure = state === 'failed' || state === 'waiting';
    const now = new Date();
    await this.tenants.write(organizationId, async (transaction, query) => {
      const [conversion] = await transaction.conversion.updateManyAndReturn({
        // The run of a conversion that was paused or deleted has ended then.
        where: { id: conversionId, leaseEpoch: claim.epoch, desired: 'active', deletedAt: null },
        data: {
          failure: failure ?? PrismaValues.DbNull,
          failures: isFailure ? { increment: 1 } : 0,
          waitingUntil: waitSeconds === null ? null : new Date(now.getTime() + waitSeconds * 1_000),
        },
      });
      if (!conversion) return;
      await transaction.conversionRun.update({
        where: { id: runId },
        data: { ...counts, state, failure: failure ?? PrismaValues.DbNull, endedAt: state === 'waiting' ? null : now },
      });
      if (state === 'failed' && failure) await this.alerts.failed({ transaction, query }, conversion, failure, now);
      if (!isFailure) await this.alerts.succeeded(query, conversion);
      await publish(query, conversionId);
    });
  }

  /** Queues the next run: when a wait ends, an event is due again, a decision can be read, or the schedule says so. */
  async startNext(claim: Claim, end: RunEnd, scheduledAt: Date | null): Promise<void> {
    const { organizationId, conversionId } = claim;
    await this.tenants.write(organizationId, async (transaction, query) => {
      const [row] = await query<{ at: Date | null; waitingUntil: Date | null }>(
        `select c.waiting_until as "waitingUntil",
                least((select min(e.next_attempt_at) from conversion_events e
                        where e.organization_id = c.organization_id and e.conversion_id = c.id and e.next_attempt_at is not null),
                      (select min(r.next_status_at) from conversion_requests r
                        where r.organization_id = c.organization_id and r.conversion_id = c.id and r.next_status_at is not null)) as at
           from conversions c
          where c.organization_id = $1 and c.id = $2 and c.lease_epoch = $3 and c.desired = 'active' and c.deleted_at is null`,
        [conversionId, claim.epoch],
      );
      if (!row) return;
      await transaction.conversion.updateMany({ where: { id: conversionId }, data: { nextRunAt: scheduledAt } });
      const moments = momentsOf(row, end, scheduledAt);
      if (moments.length === 0) return;
      const runAt = new Date(Math.min(...moments.map((at) => at.getTime())));
      await startWithin(query, organizationId, conversionId, runAt);
    });
  }
}

const countsOf = (run: ConversionRun | null): RunCounts => ({
  recordsRead: run?.recordsRead ?? 0,
  bytesRead: Number(run?.bytesRead ?? 0),
  eventsNew: run?.eventsNew ?? 0,
  eventsSent: run?.eventsSent ?? 0,
  eventsAccepted: run?.eventsAccepted ?? 0,
  eventsRejected: run?.eventsRejected ?? 0,
});

/** A wrong setting may be corrected at the platform, where we do not notice it. */
const FAILED_RETRY_MS = 6 * 3_600_000;

/** After a failure that a user must fix, the next attempt waits: the events that are due would fail in the same way. */
function momentsOf(due: { at: Date | null; waitingUntil: Date | null }, { state }: RunEnd, scheduledAt: Date | null): Date[] {
  if (due.waitingUntil) return [due.waitingUntil];
  const at = state === 'failed' ? new Date(Date.now() + FAILED_RETRY_MS) : due.at;
  return [at, scheduledAt].filter((moment) => moment !== null);
}

/** Columns of a conversion whose source the next run reads. */
export const READ_AGAIN = { pendingReads: { increment: 1 } } as const;

/** A job that has not started yet is replaced, so a conversion has at most one. */
export function startWithin(query: TenantQuery, organizationId: string, conversionId: string, runAt?: Date): Promise<void> {
  const key = `conversion:${conversionId}`;
  return queueJob(query, runConversion, { organizationId, conversionId }, { key, queue: key, runAt });
}

/** The jobs of a deleted organization end without a run, so nothing else starts its conversions after it is restored. */
export async function startAllWithin(query: TenantQuery, organizationId: string): Promise<void> {
  const started = await query<{ id: string }>(
    `with active as (
       select id from conversions
        where organization_id = $1 and deleted_at is null and desired = 'active' order by id for no key update)
     update conversions c set pending_reads = c.pending_reads + 1, resumed_at = now(), updated_at = now()
       from active where c.organization_id = $1 and c.id = active.id returning c.id`,
  );
  for (const { id } of started) await startWithin(query, organizationId, id);
}

const publish = (query: TenantQuery, conversionId: string): Promise<void> =>
  publishLive(query, [{ connectionId: null, type: 'conversion', data: { conversionId } }]);
