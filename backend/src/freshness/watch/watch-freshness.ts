import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { Alerts, type FreshnessEvent, notifyRules } from '../../alerts/index.js';
import { addDays, listDays } from '../../connectors/kit/days.js';
import { ENV, type Env } from '../../core/config/env.js';
import { dayToDate } from '../../core/database/days.js';
import { type TenantQuery, TenantDatabase, type TenantWork } from '../../core/database/tenant-database.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { completenessSql, type CompletenessRow } from '../../read-models/index.js';
import { deadlineOf, firstWatchedDay, lastEndedDay } from '../target.js';
import { alertFailure, freshnessMessage } from './messages.js';
import { findWatched, type WatchedConnection } from './watched-connection.js';

// SQL: locks the open days, writes many in one statement (unnest), and compares them with coverage.

/** A late day becomes complete with a run, which is an event. This interval also notices removed accounts and streams. */
const RECHECK_MS = 15 * 60_000;
/** Days of a connection that are checked together, those that were not checked for the longest time first. */
const MAX_OPEN_DAYS = 60;

interface OpenDay extends Record<string, unknown> {
  day: string;
  state: 'waiting' | 'late';
  /** Its deadline passed while the connection was stopped, so it cannot become late any more. */
  isExcused: boolean;
}

interface Change {
  day: string;
  /** Null: the state stays. */
  event: FreshnessEvent | null;
  state: 'waiting' | 'late' | 'complete';
  dueAt: Date;
  isExcused: boolean;
  row: CompletenessRow;
}

/**
 * Decides when a day becomes late or complete, and stores this change together with its notifications and its alert. The row of
 * the day is locked, and a change is stored only once, so that repeated and simultaneous checks notify once.
 */
@Injectable()
export class WatchFreshness implements OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly alerts: Alerts,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.on('coverage.changed', (event) => this.check(event.organizationId, event.connectionId, new Date()));
    this.events.on('freshness.target_changed', (event) => this.restart(event.organizationId, event.connectionId, new Date()));
  }

  /** Forgets the days of another target, ends their alert without a notification, and watches those of the present one. */
  async restart(organizationId: string, connectionId: string, now: Date): Promise<void> {
    await this.tenants.write(organizationId, async (transaction, query) => {
      await transaction.freshnessDay.deleteMany({ where: { connectionId, state: { not: 'complete' } } });
      await this.alerts.close(query, connectionId, ['connection.late']);
    });
    await this.check(organizationId, connectionId, now);
  }

  async check(organizationId: string, connectionId: string, now: Date): Promise<void> {
    await this.tenants.write(organizationId, async (transaction, query) => {
      const connection = await findWatched(query, this.env, connectionId);
      if (!connection) return;
      await addDaysToWatch(query, connection, now);
      const changes = await planChanges(query, connection, now);
      for (const change of changes) await this.store({ transaction, query }, organizationId, connection, change, now);
      // Alerts are locked after all other rows.
      await this.updateAlert({ transaction, query }, organizationId, connection, changes);
    });
  }

  private async store(
    work: TenantWork,
    organizationId: string,
    connection: WatchedConnection,
    { day, event, state, dueAt, isExcused, row }: Change,
    now: Date,
  ): Promise<void> {
    const checkAt = state === 'complete' || isExcused ? null : dueAt > now ? dueAt : new Date(now.getTime() + RECHECK_MS);
    await work.transaction.freshnessDay.updateMany({
      where: { connectionId: connection.id, day: dayToDate(day) },
      data: {
        ...{ state, dueAt, checkAt },
        ...(event === 'freshness.late' && { lateAt: now }),
        completedAt: state === 'complete' ? (row.lastReadAt ?? now) : null,
      },
    });
    if (event === null) return;
    const message = freshnessMessage(this.env.PUBLIC_URL, organizationId, connection, { event, day, dueAt, row });
    await notifyRules(work, organizationId, message);
  }

  /** One alert covers all late days of the connection. It keeps the newest cause. */
  private async updateAlert(
    { transaction, query }: TenantWork,
    organizationId: string,
    connection: WatchedConnection,
    changes: Change[],
  ): Promise<void> {
    const late = changes.filter(({ state }) => state === 'late').at(-1);
    if (!late) {
      const other = { connectionId: connection.id, state: 'late' } as const;
      if (!(await transaction.freshnessDay.findFirst({ where: other, select: { day: true } })))
        await this.alerts.recover(query, organizationId, connection.id, ['connection.late']);
      return;
    }
    await this.alerts.open(query, organizationId, {
      kind: 'connection.late',
      subjectId: connection.id,
      failure: alertFailure(connection, late),
    });
  }
}

/**
 * Watches every day up to the first one that has not ended in every account. It cannot be complete, so a watched connection always
 * has a day whose check is due later, however long no worker ran.
 */
async function addDaysToWatch(
  query: TenantQuery,
  { id, target, historyFrom, accounts }: WatchedConnection,
  now: Date,
): Promise<void> {
  const zones = accounts.map(({ timeZone }) => timeZone);
  const [last] = await query<{ day: string | null }>(
    `with outside as (
       delete from freshness_days
        where organization_id = $1 and connection_id = $2::uuid and day < $3::date and state <> 'complete')
     select max(day)::text as day from freshness_days
      where organization_id = $1 and connection_id = $2::uuid and day >= $3::date and state <> 'complete'`,
    [id, historyFrom],
  );
  const next = last?.day ? addDays(last.day, 1) : firstWatchedDay(target, now, zones);
  const from = next < historyFrom ? historyFrom : next;
  const current = addDays(lastEndedDay(now, zones), 1);
  const added = listDays(from, last?.day || current > from ? current : from);
  if (added.length === 0) return;
  await query(
    `insert into freshness_days (organization_id, connection_id, day, due_at, check_at)
     select $1, $2::uuid, day, due_at, due_at from unnest($3::date[], $4::timestamptz[]) as added(day, due_at)
     on conflict do nothing`,
    [id, added, added.map((day) => deadlineOf(target, day, zones))],
  );
}

/** Locks the days that are not complete, and decides how each changes. */
async function planChanges(query: TenantQuery, connection: WatchedConnection, now: Date): Promise<Change[]> {
  const { id, target, accounts, isStopped } = connection;
  const open = await query<OpenDay>(
    `select day::text as day, state, check_at is null as "isExcused" from freshness_days
      where organization_id = $1 and connection_id = $2::uuid and state <> 'complete' order by check_at, day limit $3 for update`,
    [id, MAX_OPEN_DAYS],
  );
  const days = open.map(({ day }) => day).sort();
  if (days.length === 0) return [];
  const rows = await query<CompletenessRow>(completenessSql, [[id], [days[0]], [days.at(-1)]]);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const zones = accounts.map(({ timeZone }) => timeZone);
  const change = ({ day, state, isExcused: wasExcused }: OpenDay): Change => {
    const row = byDay.get(day) ?? { connectionId: id, day, expected: 0, complete: 0, lastReadAt: null, missing: [] };
    const dueAt = deadlineOf(target, day, zones);
    const isExcused = state === 'waiting' && dueAt <= now && (isStopped || wasExcused);
    const common = { day, row, dueAt, isExcused };
    if (row.expected > 0 && row.complete === row.expected)
      return { ...common, state: 'complete', event: state === 'late' ? 'freshness.recovered' : 'freshness.complete' };
    const isLate = state === 'late' || (dueAt <= now && !isExcused);
    return {
      ...common,
      state: isLate ? 'late' : 'waiting',
      event: isLate && state === 'waiting' ? 'freshness.late' : null,
    };
  };
  return open.toSorted((left, right) => (left.day < right.day ? -1 : 1)).map(change);
}
