import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { AuthorizedApps } from '../../apps/index.js';
import { Entitlements } from '../../billing/index.js';
import type { Quota } from '../../connectors/kit/contract.js';
import { ReportPending, RetryLater, SkipAccount } from '../../connectors/kit/errors.js';
import { Notifications } from '../../core/database/notifications.js';
import { toJson } from '../../core/database/json-column.js';
import { type TenantClient, TenantDatabase, type TenantWork } from '../../core/database/tenant-database.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { failureColumn, toFailure } from '../../core/http/failures.js';
import { LIST_LIMITS } from '../../core/http/limits.js';
import { queueJob } from '../../core/jobs/define-job.js';
import { type JobContext, Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { Prisma } from '../../generated/prisma/client.js';
import { AccountLookbacks, type OpenSource, SourcesService } from '../../sources/index.js';
import { SyncService } from '../api/sync.service.js';
import { findDiffering, forgetTotals, markForRepair, saveTotals } from './account-totals.js';
import { type AccountWindow, windowOf } from './account-windows.js';
import { classify } from './classify-difference.js';
import { type ClassifiedDay, toRanges } from './differences.js';
import { listExclusions } from './exclusions.js';
import { RECONCILE, reconcileKey, reconcileQueue } from './reconcile-job.js';
import { type ReconciledConnection, ReconciliationsQueries } from './reconciliations.queries.js';
import { neverIdle, skipReason } from './skip-reasons.js';

// SQL: starts by the clock of the database, locks runs before their connection, and deletes all but the newest reconciliations.

/** Rows change while a run is active, so a reconciliation waits for the end of the run. */
const WAIT_FOR_RUN_MS = 5_000;
const LONGEST_WAIT_MS = 12 * 3_600_000;
const RETRY_MS = 300_000;
const MAX_FAULTS = 5;
/** Reconciliations that are stored for each connection. */
const KEPT = 30;

interface OpenReconciliation {
  organizationId: string;
  reconciliationId: string;
  connectionId: string;
  trigger: string;
  requestedAt: Date;
  startedAt: Date;
  faults: number;
}

interface ReadTotals {
  windows: AccountWindow[];
  wholeStreams: Set<string>;
  apiCalls: number;
  skippedAccounts: number;
}

interface Result extends ReadTotals {
  compared: number;
  days: ClassifiedDay[];
}

/** Compares loaded days with the platform's totals of the accounts. Lost and restated days become missing, and a run loads them. */
@Injectable()
export class ReconcileConnection implements OnModuleInit {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly sources: SourcesService,
    private readonly lookbacks: AccountLookbacks,
    private readonly apps: AuthorizedApps,
    private readonly entitlements: Entitlements,
    private readonly queries: ReconciliationsQueries,
    private readonly sync: SyncService,
    private readonly notifications: Notifications,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(RECONCILE, (payload, context) => this.run(payload, context));
  }

  async run({ organizationId, reconciliationId }: z.infer<typeof RECONCILE.schema>, { signal }: JobContext): Promise<void> {
    const open = await this.claim(organizationId, reconciliationId);
    if (!open) return;
    try {
      await this.attempt(open, signal);
    } catch (error) {
      // The process stops: the job is released and starts again.
      if (signal.aborted) throw error;
      await this.answer(open, error);
    }
    const { connectionId } = open;
    await this.notifications.publish({ organizationId, connectionId, type: 'connection', data: { connectionId } });
  }

  private async claim(organizationId: string, reconciliationId: string): Promise<OpenReconciliation | null> {
    const [row] = await this.tenants.query<
      Omit<OpenReconciliation, 'organizationId' | 'reconciliationId'> & Record<string, unknown>
    >(
      organizationId,
      `update reconciliations set state = 'running', started_at = now()
        where organization_id = $1 and id = $2 and ended_at is null
       returning connection_id as "connectionId", trigger, requested_at as "requestedAt", started_at as "startedAt", faults`,
      [reconciliationId],
    );
    return row ? { organizationId, reconciliationId, ...row } : null;
  }

  private async attempt(open: OpenReconciliation, signal: AbortSignal): Promise<void> {
    const { organizationId, connectionId } = open;
    const connection = await this.queries.getConnection(organizationId, connectionId);
    const isClosed = await this.entitlements.isClosed(organizationId);
    const reason = skipReason(connection, isClosed, open.trigger === 'night');
    if (reason) return this.end(open, 'skipped', reason);
    if (await isRunActive(this.tenants.of(organizationId), open)) return this.wait(open, connection);
    const source = await this.sources.open(organizationId, connection.sourceId);
    const totals = await this.readTotals(open, connection, source, signal);
    const result = await this.save(open, connection, source, totals);
    if (!result) return this.wait(open, connection);
  }

  /** One account after the other. An account that cannot be read does not delay the others. */
  private async readTotals(
    { organizationId, connectionId, startedAt }: OpenReconciliation,
    connection: ReconciledConnection,
    source: OpenSource,
    signal: AbortSignal,
  ): Promise<ReadTotals> {
    const learned = await this.lookbacks.list(organizationId, connection.sourceId);
    const known = new Map(learned.map(({ accountId, lookbackDays }) => [accountId, lookbackDays]));
    const result: ReadTotals = { windows: [], wholeStreams: new Set(), apiCalls: 0, skippedAccounts: 0 };
    let quota: Quota | null = null;
    const context = { signal, onRequest: () => void (result.apiCalls += 1), onQuota: (used: Quota) => void (quota = used) };
    const historyFrom = [connection.historyFrom, source.earliestAvailable ?? ''].toSorted().at(-1) ?? connection.historyFrom;
    for (const account of source.accounts) {
      const lookbackDays = connection.lookbackDays ?? source.lookbackDays ?? known.get(account.externalId);
      const window = windowOf(account, lookbackDays, historyFrom, new Date());
      if (window.from > window.to) continue;
      const totals = await readAccount(source, context, window);
      if (!totals) {
        result.skippedAccounts += 1;
        continue;
      }
      for (const name of totals.wholeStreams) result.wholeStreams.add(name);
      result.windows.push(window);
      await this.tenants.transaction(organizationId, (query) => saveTotals(query, connectionId, window, totals, startedAt));
    }
    if (quota) await this.apps.saveQuota(organizationId, source.appId, quota);
    return result;
  }

  /** Null: a run was active at the same time, so there is no result. */
  private async save(
    open: OpenReconciliation,
    connection: ReconciledConnection,
    source: OpenSource,
    totals: ReadTotals,
  ): Promise<Result | null> {
    const { organizationId, connectionId } = open;
    // Streams without the three metrics cannot be compared.
    const streams = source.connector.streams.filter(({ metrics }) => Object.values(metrics).every((column) => column !== null));
    return this.tenants.write(organizationId, async (transaction, query) => {
      // Runs are locked before their connection, as in every transaction that marks days. No run can start while it is locked.
      await query(
        'select 1 from runs where organization_id = $1 and connection_id = $2 and ended_at is null order by id for update',
        [connectionId],
      );
      await query('select 1 from connections where organization_id = $1 and id = $2 for update', [connectionId]);
      if (await isRunActive(transaction, open)) return null;
      const isSelected = (name: string): boolean => connection.streams.includes(name);
      const names = streams.map(({ name }) => name);
      const { compared, days } = await findDiffering(query, connectionId, names.filter(isSelected), totals.windows);
      // Rows of streams that were selected before are still at the destination.
      const former = await findDiffering(query, connectionId, names.filter((name) => !isSelected(name)), totals.windows); // prettier-ignore
      const provisionalFrom = new Map(totals.windows.map((window) => [window.account.externalId, window.provisionalFrom]));
      const byName = new Map(streams.map((stream) => [stream.name, stream]));
      const classified = [...days, ...former.days].map((day): ClassifiedDay => {
        const isSettled = day.day < (provisionalFrom.get(day.accountId) ?? '');
        const stream = byName.get(day.stream) ?? { verification: 'none' as const };
        return {
          ...day,
          ...classify(day, stream, {
            isSettled,
            isWhole: totals.wholeStreams.has(day.stream),
            isSelected: isSelected(day.stream),
          }),
        };
      });
      await markForRepair(query, connectionId, classified.filter(isRepaired));
      await forgetTotals(query, connectionId, totals.windows);
      const result = { ...totals, compared, days: classified };
      await saveResult({ transaction, query }, open, connection, source, result);
      if (classified.some(isRepaired) && connection.desired === 'active') await this.repair({ transaction, query }, open);
      return result;
    });
  }

  private async repair(
    { transaction, query }: TenantWork,
    { organizationId, connectionId, reconciliationId }: OpenReconciliation,
  ): Promise<void> {
    const request = { organizationId, connectionId, kind: 'repair', trigger: 'reconciliation', actor: null } as const;
    const runId = await this.sync.startIn(query, request);
    await transaction.reconciliation.updateMany({ where: { id: reconciliationId }, data: { runId } });
  }

  private async wait(open: OpenReconciliation, { appId }: ReconciledConnection): Promise<void> {
    if (Date.now() - open.requestedAt.getTime() > LONGEST_WAIT_MS) return this.end(open, 'skipped', neverIdle);
    await this.queueAgain(open, WAIT_FOR_RUN_MS, reconcileQueue(appId));
  }

  private async answer(open: OpenReconciliation, error: unknown): Promise<void> {
    const failure = toFailure(error);
    if (failure.class === 'internal') this.logger.error({ err: error, id: open.reconciliationId }, 'reconciliation failed');
    // At night the remaining quota belongs to scheduled runs.
    if (failure.class === 'quota' && open.trigger === 'night') return this.end(open, 'skipped', failure);
    const isTransient = error instanceof RetryLater || error instanceof ReportPending;
    if (!isTransient || open.faults + 1 >= MAX_FAULTS) return this.end(open, 'failed', failure);
    const { reconciliation } = this.tenants.of(open.organizationId);
    await reconciliation.updateMany({ where: { id: open.reconciliationId }, data: { faults: { increment: 1 } } });
    await this.queueAgain(open, RETRY_MS);
  }

  private async queueAgain(open: OpenReconciliation, waitMs: number, queue?: string): Promise<void> {
    const { organizationId, reconciliationId } = open;
    await this.tenants.write(organizationId, async (transaction, query) => {
      await transaction.reconciliation.updateMany({ where: { id: reconciliationId, endedAt: null }, data: { state: 'queued' } });
      const options = { key: reconcileKey(reconciliationId), runAt: new Date(Date.now() + waitMs), ...(queue && { queue }) };
      await queueJob(query, RECONCILE, { organizationId, reconciliationId }, options);
    });
  }

  private async end({ organizationId, reconciliationId }: OpenReconciliation, state: 'failed' | 'skipped', failure: Failure) {
    await this.tenants.of(organizationId).reconciliation.updateMany({
      where: { id: reconciliationId, endedAt: null },
      data: { state, failure: failureColumn.write(failure), endedAt: new Date() },
    });
  }
}

const isRepaired = ({ kind }: ClassifiedDay): boolean => kind === 'lost' || kind === 'restated';

/** Null: the account cannot be read, so it is not compared. */
async function readAccount(
  { connector }: OpenSource,
  context: Parameters<NonNullable<OpenSource['connector']['accountTotals']>>[0],
  { account, from, to }: AccountWindow,
) {
  if (account.status === 'closed' || account.problem !== undefined || !connector.accountTotals) return null;
  try {
    return await connector.accountTotals(context, account, { from, to });
  } catch (error) {
    if (error instanceof SkipAccount) return null;
    throw error;
  }
}

/** A run that is active, or that ended after the reconciliation began. */
async function isRunActive({ run }: Pick<TenantClient, 'run'>, open: OpenReconciliation): Promise<boolean> {
  const where = { connectionId: open.connectionId, OR: [{ endedAt: null }, { endedAt: { gt: open.startedAt } }] };
  return (await run.findFirst({ where, select: { id: true } })) !== null;
}

async function saveResult(
  { transaction, query }: TenantWork,
  { reconciliationId, connectionId }: OpenReconciliation,
  connection: ReconciledConnection,
  { accounts, connector }: OpenSource,
  result: Result,
): Promise<void> {
  const count = (kind: ClassifiedDay['kind']) => result.days.filter((day) => day.kind === kind).length;
  await transaction.reconciliation.updateMany({
    where: { id: reconciliationId, endedAt: null },
    data: {
      ...{ state: 'done', endedAt: new Date(), failure: Prisma.DbNull },
      ...{ accounts: result.windows.length, skippedAccounts: result.skippedAccounts },
      ...{ excludedAccounts: connection.excludedAccounts, apiCalls: result.apiCalls, days: result.compared },
      ...{ lateDays: count('late'), restatedDays: count('restated'), excludedDays: count('excluded'), lostDays: count('lost') },
      differences: toJson(toRanges(result.days, accounts).slice(0, LIST_LIMITS.reconciliationDifferences)),
      exclusions: toJson(listExclusions(connection, connector.streams, result.windows)),
    },
  });
  await query(
    `delete from reconciliations where organization_id = $1 and connection_id = $2 and id not in (
       select id from reconciliations where organization_id = $1 and connection_id = $2 order by requested_at desc limit $3)`,
    [connectionId, KEPT],
  );
}
