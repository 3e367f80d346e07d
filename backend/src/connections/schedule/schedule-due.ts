import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../../core/database/database.js';
import { type Access, accessSql } from '../../access/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import { dayInTimeZone } from '../../connectors/kit/days.js';
import { type ActiveRun, listActiveRuns } from '../../read-models/index.js';
import { SyncService } from '../../sync/index.js';
import { nextRunAt, type Schedule } from './schedule.js';

// SQL: selects due connections over all organizations by the access rule, and moves many in one statement (unnest).

const scheduleDue = defineScheduledJob('schedule-due', 'every-minute');

/** Delay before the next run is computed again after an error. */
const RETRY_MS = 3_600_000;
/** Until a connection is due again whose active run began on an earlier day. */
const POSTPONED_MS = 300_000;
/** Connections queued together: few enough that the first runs begin within a second. */
const BATCH = 500;

interface DueConnection {
  id: string;
  organizationId: string;
  schedule: Schedule;
  nextRunAt: Date;
  access: Access;
}

/** Every minute: starts due runs. A connection with an active run gets no second one at the same time. */
@Injectable()
export class ScheduleDue implements OnModuleInit {
  private readonly access: string;

  constructor(
    @Inject(ENV) env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly sync: SyncService,
  ) {
    this.access = accessSql(env, 's');
  }

  onModuleInit(): void {
    this.jobs.handle(scheduleDue, () => this.startDue());
  }

  /** Organizations take turns from the first batch on. Workers begin while later batches are still being queued. */
  async startDue(): Promise<void> {
    const failed: string[] = [];
    for (;;) {
      const due = await this.listDue(failed);
      if (due.length === 0) return;
      for (const connections of byOrganization(due)) failed.push(...(await this.startIsolated(connections)));
    }
  }

  private async listDue(failed: string[]): Promise<DueConnection[]> {
    // Intentionally over all organizations: it only selects ids. Each run is then started through TenantDatabase.
    const { rows } = await this.database.pool.query<DueConnection>(
      `select c.id, c.organization_id as "organizationId", c.schedule, c.next_run_at as "nextRunAt", ${this.access} as access
         from connections c
         join organizations o on o.id = c.organization_id and o.deleted_at is null
         left join subscriptions s on s.organization_id = c.organization_id
        where c.next_run_at <= now() and c.desired = 'active' and c.deleted_at is null and c.id <> all($1::uuid[])
        order by row_number() over (partition by c.organization_id order by c.next_run_at), c.next_run_at limit ${BATCH}`,
      [failed],
    );
    return rows;
  }

  /** An error of one connection must not stop the schedules of others. Returns the ids of the failed connections. */
  private async startIsolated(connections: DueConnection[]): Promise<string[]> {
    try {
      await this.startAll(connections);
      return [];
    } catch (error) {
      const [first, ...others] = connections;
      if (!first) return [];
      if (others.length > 0) return (await Promise.all(connections.map((one) => this.startIsolated([one])))).flat();
      const { id: connectionId, organizationId } = first;
      this.logger.error({ err: error, connectionId, organizationId }, 'a scheduled run could not be started');
      return [connectionId];
    }
  }

  /** Starts due connections of one organization, in one transaction. */
  private async startAll(connections: DueConnection[]): Promise<void> {
    const [first] = connections;
    if (!first) return;
    const { organizationId, access } = first;
    const next = connections.map((connection) => this.computeNext(connection));
    await this.tenants.transaction(organizationId, async (query) => {
      // The worker that updates the time starts the run, so that two workers start only one. A user may have paused or deleted
      // the connection since it was listed.
      const moved = await query<{ id: string }>(
        `update connections c set next_run_at = due.next_run_at
           from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) as due(id, due_at, next_run_at)
          where c.organization_id = $1 and c.id = due.id and c.next_run_at = due.due_at
            and c.desired = 'active' and c.deleted_at is null
          returning c.id`,
        [connections.map(({ id }) => id), connections.map(({ nextRunAt }) => nextRunAt), next],
      );
      // Without a subscription runs are skipped. The catch-up run loads the missed days.
      if (access === 'closed' || moved.length === 0) return;
      const scheduled = { kind: 'scheduled', trigger: 'schedule', actor: null } as const;
      const isMoved = new Set(moved.map(({ id }) => id));
      const started = connections.filter(({ id }) => isMoved.has(id));
      const queued = await this.sync.startWithin(
        query,
        started.map(({ id }) => ({ ...scheduled, connectionId: id })),
      );
      if (queued.length < started.length) await this.postpone(query, started);
    });
  }

  /**
   * An active run keeps the days that it planned when it started. If a day has ended since then, it has read that day before its
   * end, so the connection is due again soon instead of at its next time.
   */
  private async postpone(query: TenantQuery, connections: DueConnection[]): Promise<void> {
    const now = new Date();
    const active = await listActiveRuns(
      query,
      connections.map(({ id }) => id),
    );
    const outdated = active.filter((run) => hasDayEnded(run, now)).map(({ connectionId }) => connectionId);
    if (outdated.length === 0) return;
    await query(
      'update connections set next_run_at = least(next_run_at, $3) where organization_id = $1 and id = any($2::uuid[])',
      [outdated, new Date(now.getTime() + POSTPONED_MS)],
    );
  }

  /** Schedules are validated when they are saved; a later update of the time zone data can still make one invalid. */
  private computeNext({ id, organizationId, schedule }: DueConnection): Date | null {
    const now = new Date();
    try {
      const next = nextRunAt(schedule, now);
      if (next && Number.isNaN(next.getTime())) throw new RangeError('The schedule has no next run.');
      return next;
    } catch (error) {
      this.logger.error({ err: error, connectionId: id, organizationId, schedule }, 'the next run could not be computed');
      return new Date(now.getTime() + RETRY_MS);
    }
  }
}

const hasDayEnded = ({ startedAt, timeZones }: ActiveRun, now: Date): boolean =>
  timeZones.some((timeZone) => dayInTimeZone(startedAt, timeZone) < dayInTimeZone(now, timeZone));

function byOrganization(connections: DueConnection[]): DueConnection[][] {
  const groups = new Map<string, DueConnection[]>();
  for (const connection of connections) {
    const group = groups.get(connection.organizationId);
    if (group) group.push(connection);
    else groups.set(connection.organizationId, [connection]);
  }
  return [...groups.values()];
}
