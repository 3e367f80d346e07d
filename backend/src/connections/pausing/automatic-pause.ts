import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Alerts } from '../../alerts/index.js';
import { AuditService } from '../../audit/index.js';
import { plural } from '../../connectors/kit/plural.js';
import { publishLive } from '../../core/database/notifications.js';
import { type TenantQuery, TenantDatabase, type TenantWork } from '../../core/database/tenant-database.js';
import { failureColumn } from '../../core/http/failures.js';
import type { Prisma } from '../../generated/prisma/client.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { type FailedStreak, findFailedStreak } from '../../read-models/index.js';
import { SyncService } from '../../sync/index.js';
import { nextRunAt, scheduleColumn } from '../schedule/schedule.js';
import { PAUSE, verdictOn } from './pause-rules.js';
import { resumed } from './resumed.js';

// SQL: locks the connection's row.

interface WatchedConnection extends Record<string, unknown> {
  name: string;
  desired: 'active' | 'paused';
  pausedReason: string | null;
  resumedAt: Date | null;
}

/** Warns of a connection whose runs keep failing, and then pauses it. */
@Injectable()
export class AutomaticPause implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly events: DomainEvents,
    private readonly alerts: Alerts,
    private readonly audit: AuditService,
    private readonly sync: SyncService,
  ) {}

  onModuleInit(): void {
    this.events.on('run.failed', ({ organizationId, connectionId }) => this.check(organizationId, connectionId, new Date()));
  }

  /** Reads the streak again, because the event may be handled late or twice. */
  async check(organizationId: string, connectionId: string, now: Date): Promise<void> {
    const isPaused = await this.tenants.write(organizationId, async (transaction, query) => {
      const connection = await lockConnection(query, connectionId);
      if (!connection) return false;
      if (connection.desired === 'paused') return connection.pausedReason === 'failures';
      const streak = await findFailedStreak(query, connectionId, connection.resumedAt);
      const verdict = streak ? verdictOn(streak, now) : 'none';
      if (!streak || verdict === 'none') return false;
      if (verdict === 'warn') await this.warn(query, organizationId, connectionId, streak);
      else await this.pause({ transaction, query }, organizationId, { id: connectionId, name: connection.name }, streak, now);
      return verdict === 'pause';
    });
    // Outside the transaction, because the run's row is locked before the connection's elsewhere. Repeated if the worker crashes here.
    if (isPaused) await this.sync.cancelActive(organizationId, connectionId);
  }

  /** Connections that were paused because the app's access had ended, or that were imported without it. Their next run loads the missed days. */
  async resumeAfterReconnect(organizationId: string, appId: string): Promise<void> {
    const tenant = this.tenants.of(organizationId);
    const paused = await tenant.connection.findMany({
      where: {
        deletedAt: null,
        AND: [{ OR: [{ source: { appId } }, { destination: { appId } }] }, { OR: WAITS_FOR_ACCESS }, NOT_OF_PAUSED_PAYMENT],
      },
      select: { id: true, name: true, schedule: true },
      orderBy: { id: 'asc' },
    });
    for (const { id, name, schedule } of paused) {
      const now = new Date();
      await this.tenants.write(organizationId, async (transaction, query) => {
        const { count } = await transaction.connection.updateMany({
          where: { id, pausedReason: { in: ['failures', 'import'] }, ...NOT_OF_PAUSED_PAYMENT },
          data: { ...resumed(now), nextRunAt: nextRunAt(scheduleColumn.get(schedule), now) },
        });
        if (count === 0) return;
        await this.alerts.recover(query, organizationId, id, ['connection.paused']);
        const target = { type: 'connection', id, name };
        await this.audit.recordIn(organizationId, null, { action: 'connection.resumed', target }, query);
      });
    }
  }

  private warn(
    query: TenantQuery,
    organizationId: string,
    subjectId: string,
    { failures, failure }: FailedStreak,
  ): Promise<void> {
    const message = `${plural(failures, 'run')} failed in a row. After ${PAUSE.failures} runs or ${PAUSE.days} days the connection is paused automatically. Last error: ${failure.message}`;
    return this.alerts.open(query, organizationId, {
      kind: 'connection.pause_pending',
      subjectId,
      failure: { ...failure, message },
    });
  }

  /** Deletes nothing. A user resumes the connection after the cause is resolved. */
  private async pause(
    { transaction, query }: TenantWork,
    organizationId: string,
    { id, name }: { id: string; name: string },
    { failures, failure }: FailedStreak,
    now: Date,
  ): Promise<void> {
    const paused = { desired: 'paused', pausedAt: now, pausedBy: null, pausedReason: 'failures' } as const;
    await transaction.connection.updateMany({ where: { id }, data: { ...paused, pausedFailure: failureColumn.write(failure) } });
    const target = { type: 'connection', id, name };
    await this.audit.recordIn(
      organizationId,
      null,
      { action: 'connection.paused', target, after: { failures, code: failure.code } },
      query,
    );
    await this.alerts.close(query, id, ['connection.pause_pending']);
    const message = `It was paused after ${plural(failures, 'failed run')} in a row. Nothing was deleted. Last error: ${failure.message}`;
    await this.alerts.open(query, organizationId, { kind: 'connection.paused', subjectId: id, failure: { ...failure, message } });
    await publishLive(query, [{ connectionId: id, type: 'connection', data: { connectionId: id } }]);
  }
}

const CONNECTED = { state: { in: ['connected', 'expiring'] } } satisfies Prisma.AppWhereInput;
/** An imported connection is resumed once both of its apps are connected. */
const WAITS_FOR_ACCESS: Prisma.ConnectionWhereInput[] = [
  { pausedReason: 'failures', pausedFailure: { path: ['class'], equals: 'auth' } },
  { pausedReason: 'import', source: { app: CONNECTED }, destination: { app: CONNECTED, state: 'ready' } },
];

/** A connection of a payment is paused as long as its payment is, whatever paused it before. */
const NOT_OF_PAUSED_PAYMENT = {
  OR: [{ paymentId: null }, { payment: { desired: 'active' } }],
} satisfies Prisma.ConnectionWhereInput;

async function lockConnection(query: TenantQuery, connectionId: string): Promise<WatchedConnection | undefined> {
  const [connection] = await query<WatchedConnection>(
    `select name, desired, paused_reason as "pausedReason", resumed_at as "resumedAt" from connections
      where organization_id = $1 and id = $2 and deleted_at is null for no key update`,
    [connectionId],
  );
  return connection;
}
