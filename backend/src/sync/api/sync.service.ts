import { Injectable } from '@nestjs/common';
import { Notifications } from '../../core/database/notifications.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import { RunLedger } from '../ledger/run-ledger.js';
import { ACTIVE_STATES } from '../run/run-states.js';
import { RunQueue, type RunRequest } from '../jobs/run-queue.js';
import type { RunSummary } from './runs.dto.js';
import { RunsQueries } from './runs.queries.js';

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

  /** Queues a run. Runs of a connection never overlap: if one is active, its id is returned. */
  async start(request: RunRequest): Promise<string> {
    const { organizationId, connectionId, kind, actor } = request;
    const [started] = await this.tenants.transaction(organizationId, (query) => this.queue.addWithin(query, [request]));
    if (started) return started;
    const active = await this.tenants.of(organizationId).run.findFirst({
      where: { connectionId, state: { in: ACTIVE_STATES } },
      select: { id: true, kind: true },
    });
    const isTaken =
      active && (kind !== 'manual' || active.kind === 'manual' || (await this.widen(organizationId, active.id, actor)));
    // The active run ended between the two statements: retry.
    return isTaken ? active.id : this.start(request);
  }

  /** Queues a run for each of many connections, in the caller's transaction. */
  startWithin(query: TenantQuery, requests: Omit<RunRequest, 'organizationId'>[]): Promise<string[]> {
    return this.queue.addWithin(query, requests);
  }

  /**
   * A user requested the whole window while a narrower run is active. A queued run is changed into the requested one; a started
   * run is followed by it. False: the run has ended.
   */
  private async widen(organizationId: string, runId: string, actor: string | null): Promise<boolean> {
    const tenant = this.tenants.of(organizationId);
    const waiting = await tenant.run.updateMany({
      where: { id: runId, state: 'queued' },
      data: { kind: 'manual', trigger: 'user', actor },
    });
    if (waiting.count > 0) return true;
    const followed = await tenant.run.updateMany({
      where: { id: runId, endedAt: null },
      data: { hasFollowUp: true, followUpActor: actor },
    });
    return followed.count > 0;
  }

  async cancel(organizationId: string, runId: string): Promise<void> {
    const run = await this.tenants.of(organizationId).run.findFirst({ where: { id: runId }, select: { connectionId: true } });
    if (!run) throw notFound('The run');
    if (!(await this.ledger.cancel(organizationId, runId))) throw new Problem('run.not_active', 'The run has already ended.');
    const { connectionId } = run;
    await this.notifications.publish({ organizationId, connectionId, type: 'connection', data: { connectionId } });
  }

  /** Cancels the active run of a connection that is being paused or deleted. */
  async cancelActive(organizationId: string, connectionId: string): Promise<void> {
    const active = await this.tenants
      .of(organizationId)
      .run.findFirst({ where: { connectionId, state: { in: ACTIVE_STATES } }, select: { id: true } });
    if (active) await this.ledger.cancel(organizationId, active.id);
  }
}
