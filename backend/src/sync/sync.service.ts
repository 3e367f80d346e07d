import { Injectable } from '@nestjs/common';
import type { RunKind } from '../generated/prisma/client.js';
import { newId } from '../platform/identifiers.js';
import { Jobs } from '../platform/jobs.js';
import { Notifications } from '../platform/notifications.js';
import { notFound, Problem } from '../platform/problem.js';
import { TenantDoor } from '../platform/tenant.js';
import { RunLedger } from './run-ledger.js';
import { ACTIVE_STATES } from './run-states.js';
import { runJobKey } from './run-job.js';
import type { RunSummary } from './runs.dto.js';
import { RunsQueries } from './runs.queries.js';

export interface RunRequest {
  organizationId: string;
  connectionId: string;
  kind: RunKind;
  /** What asked for it: `first_run`, `schedule`, `user`, `reconnect`, `destination`, `subscription`. */
  trigger: string;
  actor: string | null;
}

@Injectable()
export class SyncService {
  constructor(
    private readonly tenants: TenantDoor,
    private readonly jobs: Jobs,
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

  /** Queues a run. Runs of a connection never overlap: one that is active is the answer to a new request too. */
  async start({ organizationId, connectionId, kind, trigger, actor }: RunRequest): Promise<string> {
    const id = newId();
    const tenant = this.tenants.of(organizationId);
    const started = await tenant.$transaction(async (transaction) => {
      // The partial unique index on active runs decides, so that two requests at once make one run.
      const { count } = await transaction.run.createMany({
        data: [{ id, organizationId, connectionId, kind, trigger, actor }],
        skipDuplicates: true,
      });
      if (count > 0) await this.jobs.add('run-sync', { organizationId, runId: id }, { key: runJobKey(id), transaction });
      return count > 0;
    });
    if (started) await this.notifications.publish({ organizationId, connectionId, type: 'connection', data: { connectionId } });
    if (started) return id;
    const active = await tenant.run.findFirst({
      where: { connectionId, state: { in: ACTIVE_STATES } },
      select: { id: true, kind: true },
    });
    const isTaken =
      active && (kind !== 'manual' || active.kind === 'manual' || (await this.widen(organizationId, active.id, actor)));
    // It ended between the statements: ask again.
    return isTaken ? active.id : this.start({ organizationId, connectionId, kind, trigger, actor });
  }

  /**
   * A person asked for everything while a narrower run is active: that run becomes the one asked for if it has not begun, and is
   * followed by it otherwise. False: it has ended.
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
    if (!(await this.ledger.cancel(organizationId, runId))) throw new Problem('run.not_active', 'The run has ended already.');
    const { connectionId } = run;
    await this.notifications.publish({ organizationId, connectionId, type: 'connection', data: { connectionId } });
  }

  /** Stops whatever moves this connection: it is being paused or deleted. */
  async cancelActive(organizationId: string, connectionId: string): Promise<void> {
    const active = await this.tenants
      .of(organizationId)
      .run.findFirst({ where: { connectionId, state: { in: ACTIVE_STATES } }, select: { id: true } });
    if (active) await this.ledger.cancel(organizationId, active.id);
  }
}
