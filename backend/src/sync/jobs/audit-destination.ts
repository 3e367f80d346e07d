import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { RetryLater } from '../../connectors/kit/errors.js';
import { withoutColumns } from '../../connectors/kit/rows/excluded-columns.js';
import { DestinationsService } from '../../destinations/index.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { toFailure } from '../../core/http/failures.js';
import { type JobContext, Jobs } from '../../core/jobs/jobs.js';
import { LIST_LIMITS } from '../../core/http/limits.js';
import { LOGGER } from '../../core/observability/logger.js';
import { Notifications } from '../../core/database/notifications.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import { SourcesService } from '../../sources/index.js';
import { compareTable, type LoadedDay, type TableComparison } from './compare-table.js';
import { type AuditedConnection, DestinationAuditsQueries } from '../api/destination-audits.queries.js';
import { queueJob } from '../../core/jobs/define-job.js';
import { auditDestination, auditJobKey, auditQueue } from '../api/destination-audits.service.js';
import { SyncService } from '../api/sync.service.js';

// SQL: locks the connection, marks many days in one statement (unnest), and deletes all but the newest audits.

/** Rows change while a run is active, so an audit waits for the end of the run. */
const WAIT_FOR_RUN_MS = 5_000;
/** Longest wait for an active run. A run that is active for longer reports its own problem. */
const LONGEST_WAIT_MS = 12 * 3_600_000;
const RETRY_MS = 300_000;
const MAX_FAULTS = 5;
/** Audits that are stored for each connection. */
const KEPT_AUDITS = 30;

interface OpenAudit {
  organizationId: string;
  auditId: string;
  connectionId: string;
  requestedAt: Date;
  startedAt: Date;
  faults: number;
}

interface AuditResult extends TableComparison {
  tables: number;
  days: number;
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
       returning connection_id as "connectionId", requested_at as "requestedAt", started_at as "startedAt", faults`,
      [auditId],
    );
    return audit ? { organizationId, auditId, ...audit } : null;
  }

  /** False: a run was active at the same time, so there is no result. */
  private async attempt(audit: OpenAudit, connection: AuditedConnection, signal: AbortSignal): Promise<boolean> {
    const { organizationId, connectionId } = audit;
    if (await this.hasActiveRun(audit)) return false;
    const result = await this.compare(audit, connection, signal);
    return this.tenants.transaction(organizationId, async (query) => {
      // No run can start while this is locked.
      await query('select 1 from connections where organization_id = $1 and id = $2 for update', [connectionId]);
      if (await findActiveRun(query, audit)) return false;
      await markMissing(query, connectionId, result.differing);
      await saveResult(query, audit, result);
      await forgetOld(query, connectionId);
      if (result.differing.length > 0 && connection.desired === 'active') await this.repair(query, audit);
      return true;
    });
  }

  private async compare(audit: OpenAudit, connection: AuditedConnection, signal: AbortSignal): Promise<AuditResult> {
    const { organizationId, connectionId } = audit;
    const source = await this.sources.open(organizationId, connection.sourceId);
    const accountIds = source.accounts.map(({ externalId }) => externalId);
    const loaded = await this.queries.listLoadedDays(organizationId, connectionId, connection, accountIds);
    const destination = await this.destinations.open(organizationId, connection.destinationId);
    const result: AuditResult = { tables: 0, days: loaded.length, rows: 0n, daysBySums: 0, differing: [], differences: [] };
    try {
      for (const stream of source.connector.streams) {
        const days = loaded.filter((day) => day.stream === stream.name);
        if (days.length === 0 || !destination.readTable) continue;
        const written = withoutColumns(stream, connection.leftOut[stream.name]);
        const found = await destination.readTable({ signal, onRequest: () => undefined }, written, rangeOf(days));
        const table = { stream: written, table: destination.tableName(stream), accounts: source.accounts };
        add(result, compareTable(table, days, found));
      }
      return result;
    } finally {
      await destination.close();
    }
  }

  private async hasActiveRun(audit: OpenAudit): Promise<boolean> {
    return this.tenants.transaction(audit.organizationId, (query) => findActiveRun(query, audit));
  }

  private async repair(query: TenantQuery, { organizationId, connectionId, auditId }: OpenAudit): Promise<void> {
    const request = { organizationId, connectionId, kind: 'repair', trigger: 'audit', actor: null } as const;
    const runId = await this.sync.startIn(query, request);
    await query('update destination_audits set run_id = $3 where organization_id = $1 and id = $2', [auditId, runId]);
  }

  private async wait(audit: OpenAudit, destinationId: string): Promise<void> {
    if (Date.now() - audit.requestedAt.getTime() > LONGEST_WAIT_MS) return this.fail(audit, neverIdle);
    await this.queueAgain(audit, WAIT_FOR_RUN_MS, auditQueue(destinationId));
  }

  private async answer(audit: OpenAudit, error: unknown): Promise<void> {
    const failure = toFailure(error);
    if (failure.class === 'internal') this.logger.error({ err: error, auditId: audit.auditId }, 'audit failed');
    if (!(error instanceof RetryLater) || audit.faults + 1 >= MAX_FAULTS) return this.fail(audit, failure);
    await this.tenants.query(
      audit.organizationId,
      'update destination_audits set faults = faults + 1 where organization_id = $1 and id = $2',
      [audit.auditId],
    );
    await this.queueAgain(audit, RETRY_MS);
  }

  private async queueAgain({ organizationId, auditId }: OpenAudit, waitMs: number, queue?: string): Promise<void> {
    await this.tenants.transaction(organizationId, async (query) => {
      await query(`update destination_audits set state = 'queued' where organization_id = $1 and id = $2 and ended_at is null`, [
        auditId,
      ]);
      const options = { key: auditJobKey(auditId), runAt: new Date(Date.now() + waitMs), ...(queue && { queue }) };
      await queueJob(query, auditDestination, { organizationId, auditId }, options);
    });
  }

  private async fail({ organizationId, auditId }: OpenAudit, failure: Failure): Promise<void> {
    await this.tenants.query(
      organizationId,
      `update destination_audits set state = 'failed', failure = $3, ended_at = now()
        where organization_id = $1 and id = $2 and ended_at is null`,
      [auditId, failure],
    );
  }
}

const neverIdle: Failure = {
  class: 'transient',
  code: 'sync.audit_blocked',
  message: 'A run of the connection was active for 12 hours, so its tables could not be compared.',
  action: 'Audit again when the run has ended',
  providerRequestId: null,
};

function rangeOf(days: LoadedDay[]): { accountIds: string[]; from: string; to: string } {
  const sorted = days.map(({ day }) => day).sort();
  return { accountIds: [...new Set(days.map(({ accountId }) => accountId))], from: sorted[0] ?? '', to: sorted.at(-1) ?? '' };
}

function add(result: AuditResult, { rows, daysBySums, differing, differences }: TableComparison): void {
  result.tables += 1;
  result.rows += rows;
  result.daysBySums += daysBySums;
  result.differing.push(...differing);
  result.differences.push(...differences);
}

/** A run that is active, or that ended after the audit began. */
async function findActiveRun(query: TenantQuery, { connectionId, startedAt }: OpenAudit): Promise<boolean> {
  const rows = await query(
    `select 1 from runs where organization_id = $1 and connection_id = $2 and (ended_at is null or ended_at > $3) limit 1`,
    [connectionId, startedAt],
  );
  return rows.length > 0;
}

async function markMissing(query: TenantQuery, connectionId: string, days: LoadedDay[]): Promise<void> {
  if (days.length === 0) return;
  await query(
    `update coverage v set state = 'missing'
       from unnest($3::text[], $4::text[], $5::date[]) as d(stream, account_id, day)
      where v.organization_id = $1 and v.connection_id = $2 and v.stream = d.stream and v.account_id = d.account_id and v.day = d.day`,
    [connectionId, days.map(({ stream }) => stream), days.map(({ accountId }) => accountId), days.map(({ day }) => day)],
  );
}

async function saveResult(query: TenantQuery, { auditId }: OpenAudit, result: AuditResult): Promise<void> {
  const { tables, days, daysBySums, rows, differing, differences } = result;
  await query(
    `update destination_audits set state = 'done', ended_at = now(), tables = $3, days = $4, days_by_sums = $5, rows = $6,
            differing_days = $7, differences = $8, failure = null
      where organization_id = $1 and id = $2 and ended_at is null`,
    [
      auditId,
      tables,
      days,
      daysBySums,
      rows,
      differing.length,
      JSON.stringify(differences.slice(0, LIST_LIMITS.auditDifferences)),
    ],
  );
}

async function forgetOld(query: TenantQuery, connectionId: string): Promise<void> {
  await query(
    `delete from destination_audits where organization_id = $1 and connection_id = $2 and id not in (
       select id from destination_audits where organization_id = $1 and connection_id = $2 order by requested_at desc limit $3)`,
    [connectionId, KEPT_AUDITS],
  );
}
