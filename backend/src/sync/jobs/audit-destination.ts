import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { RetryLater } from '../../connectors/kit/errors.js';
import { withoutColumns } from '../../connectors/kit/rows/excluded-columns.js';
import { DestinationsService } from '../../destinations/index.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { failureColumn, toFailure } from '../../core/http/failures.js';
import { type JobContext, Jobs } from '../../core/jobs/jobs.js';
import { LIST_LIMITS } from '../../core/http/limits.js';
import { LOGGER } from '../../core/observability/logger.js';
import { Notifications } from '../../core/database/notifications.js';
import { toJson } from '../../core/database/json-column.js';
import { type TenantClient, TenantDatabase, type TenantQuery, type TenantWork } from '../../core/database/tenant-database.js';
import { Prisma } from '../../generated/prisma/client.js';
import { SourcesService } from '../../sources/index.js';
import { type AuditRange, compareInParts, type PartsComparison } from './audit-parts.js';
import type { AuditDifference } from '../api/destination-audits.dto.js';
import { type AuditedConnection, DestinationAuditsQueries } from '../api/destination-audits.queries.js';
import { queueJob } from '../../core/jobs/define-job.js';
import { auditDestination, auditJobKey, auditQueue } from '../api/destination-audits.service.js';
import { SyncService } from '../api/sync.service.js';
import { workerDied } from '../run/run-errors.js';

// SQL: starts by the clock of the database, locks the connection, marks many days (unnest), and deletes old audits.

/** Rows change while a run is active, so an audit waits for the end of the run. */
const WAIT_FOR_RUN_MS = 5_000;
/** Longest wait for an active run. A run that is active for longer reports its own problem. */
const LONGEST_WAIT_MS = 12 * 3_600_000;
const RETRY_MS = 300_000;
const MAX_FAULTS = 5;
/** Lower than for runs: an audit that crashes its worker fails before the runs that shared the worker do. */
const MAX_WORKER_DEATHS = 2;
/** Audits that are stored for each connection. */
const KEPT_AUDITS = 30;

interface OpenAudit {
  organizationId: string;
  auditId: string;
  connectionId: string;
  requestedAt: Date;
  startedAt: Date;
  faults: number;
  workerDeaths: number;
}

interface AuditResult extends PartsComparison {
  tables: number;
}

/** Compares a destination with what was loaded. Days that differ become missing, and a run loads them again. */
@Injectable()
export class AuditDestination implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly sources: SourcesService,
    private readonly destinations: DestinationsService,
    private readonly queries: DestinationAuditsQueries,
    private readonly sync: SyncService,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(auditDestination, (payload, context) => this.run(payload, context));
  }

  async run({ organizationId, auditId }: z.infer<typeof auditDestination.schema>, { signal }: JobContext): Promise<void> {
    const audit = await this.claim(organizationId, auditId);
    if (!audit) return;
    try {
      if (audit.workerDeaths >= MAX_WORKER_DEATHS) throw workerDied('audit', audit.workerDeaths);
      const connection = await this.queries.getConnection(organizationId, audit.connectionId);
      if (!(await this.attempt(audit, connection, signal))) await this.wait(audit, connection.destinationId);
    } catch (error) {
      // The process stops: the job is released and starts again.
      if (signal.aborted) throw error;
      await this.answer(audit, error);
    }
    const { connectionId } = audit;
    await this.notifications.publish({ organizationId, connectionId, type: 'connection', data: { connectionId } });
  }

  private async claim(organizationId: string, auditId: string): Promise<OpenAudit | null> {
    const [audit] = await this.tenants.query<Omit<OpenAudit, 'organizationId' | 'auditId'> & Record<string, unknown>>(
      organizationId,
      `update destination_audits set state = 'running', started_at = now()
        where organization_id = $1 and id = $2 and ended_at is null
       returning connection_id as "connectionId", requested_at as "requestedAt", started_at as "startedAt", faults,
                 worker_deaths as "workerDeaths"`,
      [auditId],
    );
    return audit ? { organizationId, auditId, ...audit } : null;
  }

  /** False: a run was active at the same time, so there is no result. */
  private async attempt(audit: OpenAudit, connection: AuditedConnection, signal: AbortSignal): Promise<boolean> {
    const { organizationId, connectionId } = audit;
    if (await hasActiveRun(this.tenants.of(organizationId), audit)) return false;
    const result = await this.compare(audit, connection, signal);
    return this.tenants.write(organizationId, async (transaction, query) => {
      // No run can start while this is locked.
      await query('select 1 from connections where organization_id = $1 and id = $2 for update', [connectionId]);
      if (await hasActiveRun(transaction, audit)) return false;
      await markMissing(query, connectionId, result.differences);
      await saveResult(transaction, audit, result);
      await forgetOld(query, connectionId);
      if (result.differences.length > 0 && connection.desired === 'active') await this.repair({ transaction, query }, audit);
      return true;
    });
  }

  private async compare(audit: OpenAudit, connection: AuditedConnection, signal: AbortSignal): Promise<AuditResult> {
    const { organizationId, connectionId } = audit;
    const source = await this.sources.open(organizationId, connection.sourceId);
    const accountIds = source.accounts.map(({ externalId }) => externalId);
    const ranges = await this.queries.listLoadedRanges(organizationId, connectionId, connection, accountIds);
    const destination = await this.destinations.open(organizationId, connection.destinationId);
    const result: AuditResult = { tables: 0, days: 0, rows: 0n, daysBySums: 0, differences: [] };
    try {
      for (const stream of source.connector.streams) {
        const range = ranges.get(stream.name);
        if (!range || !destination.readTable) continue;
        const written = withoutColumns(stream, connection.leftOut[stream.name]);
        const table = { stream: written, table: destination.tableName(stream), accounts: source.accounts };
        const read = destination.readTable.bind(destination, { signal, onRequest: () => undefined }, written);
        const listLoaded = (part: AuditRange) =>
          this.queries.listLoadedDays(organizationId, connectionId, connection.destinationId, { stream: stream.name, ...part });
        add(result, await compareInParts(table, range, { read, listLoaded, signal }));
      }
      return result;
    } finally {
      await destination.close();
    }
  }

  private async repair({ transaction, query }: TenantWork, { organizationId, connectionId, auditId }: OpenAudit): Promise<void> {
    const request = { organizationId, connectionId, kind: 'repair', trigger: 'audit', actor: null } as const;
    const runId = await this.sync.startIn(query, request);
    await transaction.destinationAudit.updateMany({ where: { id: auditId }, data: { runId } });
  }

  private async wait(audit: OpenAudit, destinationId: string): Promise<void> {
    if (Date.now() - audit.requestedAt.getTime() > LONGEST_WAIT_MS) return this.fail(audit, neverIdle);
    await this.queueAgain(audit, WAIT_FOR_RUN_MS, auditQueue(destinationId));
  }

  private async answer(audit: OpenAudit, error: unknown): Promise<void> {
    const failure = toFailure(error);
    if (failure.class === 'internal') this.logger.error({ err: error, auditId: audit.auditId }, 'audit failed');
    if (!(error instanceof RetryLater) || audit.faults + 1 >= MAX_FAULTS) return this.fail(audit, failure);
    const audits = this.tenants.of(audit.organizationId).destinationAudit;
    await audits.updateMany({ where: { id: audit.auditId }, data: { faults: { increment: 1 } } });
    await this.queueAgain(audit, RETRY_MS);
  }

  private async queueAgain({ organizationId, auditId }: OpenAudit, waitMs: number, queue?: string): Promise<void> {
    await this.tenants.write(organizationId, async (transaction, query) => {
      await transaction.destinationAudit.updateMany({ where: { id: auditId, endedAt: null }, data: { state: 'queued' } });
      const options = { key: auditJobKey(auditId), runAt: new Date(Date.now() + waitMs), ...(queue && { queue }) };
      await queueJob(query, auditDestination, { organizationId, auditId }, options);
    });
  }

  private async fail({ organizationId, auditId }: OpenAudit, failure: Failure): Promise<void> {
    await this.tenants.of(organizationId).destinationAudit.updateMany({
      where: { id: auditId, endedAt: null },
      data: { state: 'failed', failure: failureColumn.write(failure), endedAt: new Date() },
    });
  }
}

const neverIdle: Failure = {
  class: 'transient',
  code: 'sync.audit_blocked',
  message: 'A run of the connection was active for 12 hours, so its tables could not be compared.',
  action: 'Audit again when the run has ended',
  providerRequestId: null,
};

function add(result: AuditResult, { days, rows, daysBySums, differences }: PartsComparison): void {
  result.tables += 1;
  result.days += days;
  result.rows += rows;
  result.daysBySums += daysBySums;
  result.differences.push(...differences);
}

/** A run that is active, or that ended after the audit began. */
async function hasActiveRun({ run }: Pick<TenantClient, 'run'>, { connectionId, startedAt }: OpenAudit): Promise<boolean> {
  const where = { connectionId, OR: [{ endedAt: null }, { endedAt: { gt: startedAt } }] };
  return (await run.findFirst({ where, select: { id: true } })) !== null;
}

async function markMissing(query: TenantQuery, connectionId: string, ranges: AuditDifference[]): Promise<void> {
  if (ranges.length === 0) return;
  await query(
    `update coverage v set state = 'missing'
       from unnest($3::text[], $4::text[], $5::date[], $6::date[]) as d(stream, account_id, first, last)
      where v.organization_id = $1 and v.connection_id = $2 and v.stream = d.stream and v.account_id = d.account_id
        and v.day between d.first and d.last`,
    [
      connectionId,
      ranges.map(({ stream }) => stream),
      ranges.map(({ accountId }) => accountId),
      ranges.map(({ from }) => from),
      ranges.map(({ to }) => to),
    ],
  );
}

async function saveResult(
  { destinationAudit }: Pick<TenantClient, 'destinationAudit'>,
  { auditId }: OpenAudit,
  { tables, days, daysBySums, rows, differences }: AuditResult,
): Promise<void> {
  const differingDays = differences.reduce((sum, range) => sum + range.days, 0);
  await destinationAudit.updateMany({
    where: { id: auditId, endedAt: null },
    data: {
      ...{ state: 'done', endedAt: new Date(), tables, days, daysBySums, rows, differingDays },
      differences: toJson(differences.slice(0, LIST_LIMITS.auditDifferences)),
      failure: Prisma.DbNull,
    },
  });
}

async function forgetOld(query: TenantQuery, connectionId: string): Promise<void> {
  await query(
    `delete from destination_audits where organization_id = $1 and connection_id = $2 and id not in (
       select id from destination_audits where organization_id = $1 and connection_id = $2 order by requested_at desc limit $3)`,
    [connectionId, KEPT_AUDITS],
  );
}
