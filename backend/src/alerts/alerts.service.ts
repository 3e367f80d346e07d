import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AuditService } from '../audit/index.js';
import { newId } from '../core/database/identifiers.js';
import { publishLive } from '../core/database/notifications.js';
import { type TenantQuery, TenantDatabase } from '../core/database/tenant-database.js';
import type { Failure } from '../core/http/failure.dto.js';
import { notFound } from '../core/http/problem.js';
import { DomainEvents } from '../core/jobs/domain-events.js';
import { ALERT_KINDS, type AlertKind } from './alert-kinds.js';

// SQL: upserts and ordered locks that return the changed rows, in transactions without Prisma (`TenantDatabase.together`).

export interface NewAlert {
  kind: AlertKind;
  subjectId: string;
  failure: Pick<Failure, 'class' | 'code' | 'message' | 'action'>;
}

/**
 * Opens and ends alerts. `query` is the transaction of the change that causes it, so that no alert is lost or doubled. Alerts are
 * locked after all other rows of such a transaction.
 */
@Injectable()
export class Alerts {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly events: DomainEvents,
    private readonly audit: AuditService,
  ) {}

  /** An alert of the kind that has not recovered gets the newer cause, which open browsers load. Nobody is notified again. */
  async open(query: TenantQuery, organizationId: string, { kind, subjectId, failure }: NewAlert): Promise<void> {
    const [alert] = await query<{ id: string; isNew: boolean }>(
      `insert into alerts (organization_id, id, kind, subject_type, subject_id, failure_class, code, message, action)
       values ($1, $2::uuid, $3, $4::alert_subject, $5::uuid, $6, $7, $8, $9)
       on conflict (organization_id, subject_id, kind) where recovered_at is null
       do update set failure_class = excluded.failure_class, code = excluded.code, message = excluded.message, action = excluded.action
        where (alerts.failure_class, alerts.code, alerts.message, alerts.action)
           <> (excluded.failure_class, excluded.code, excluded.message, excluded.action)
       returning id, xmax = 0 as "isNew"`,
      [newId(), kind, ALERT_KINDS[kind].subject, subjectId, failure.class, failure.code, failure.message, failure.action],
    );
    if (alert?.isNew) await this.announce(query, organizationId, [alert.id]);
    else if (alert) await publishAlerts(query);
  }

  /** The cause has ended. */
  async recover(query: TenantQuery, organizationId: string, subjectId: string, kinds: AlertKind[]): Promise<void> {
    const recovered = await query<{ id: string }>(
      `update alerts set recovered_at = now() where organization_id = $1 and id in (
         select id from alerts
          where organization_id = $1 and subject_id = $2::uuid and kind = any($3::text[]) and recovered_at is null
          order by id for update)
       returning id`,
      [subjectId, kinds],
    );
    if (recovered.length > 0)
      await this.announce(
        query,
        organizationId,
        recovered.map(({ id }) => id),
      );
  }

  /**
   * Ends alerts without a notification: a newer alert replaces them, or their subject is deleted. Default: all of the subject. Equal
   * times of recovery and notification mark them, because their cause has not ended.
   */
  async close(
    query: TenantQuery,
    subjectId: string,
    kinds: AlertKind[] = Object.keys(ALERT_KINDS) as AlertKind[],
  ): Promise<void> {
    const closed = await query(
      `update alerts set recovered_at = now(), opening_notified_at = coalesce(opening_notified_at, now()), recovery_notified_at = now()
        where organization_id = $1 and id in (
          select id from alerts
           where organization_id = $1 and subject_id = $2::uuid and kind = any($3::text[]) and recovered_at is null
           order by id for update)
       returning id`,
      [subjectId, kinds],
    );
    if (closed.length > 0) await publishAlerts(query);
  }

  /** Marks an open alert as seen: it no longer counts in the badge. Repeated calls change nothing. */
  async acknowledge(actor: Actor, alertId: string): Promise<void> {
    await this.tenants.transaction(actor.organizationId, async (query) => {
      const [alert] = await query<{ kind: AlertKind; isChanged: boolean }>(
        `with changed as (
           update alerts set acknowledged_at = now(), acknowledged_by = $3
            where organization_id = $1 and id = $2 and acknowledged_at is null and recovered_at is null returning id)
         select a.kind, exists (select from changed) as "isChanged" from alerts a where a.organization_id = $1 and a.id = $2`,
        [alertId, actor.uid],
      );
      if (!alert) throw notFound('The alert');
      if (!alert.isChanged) return;
      const target = { type: 'alert', id: alertId, name: alert.kind };
      await this.audit.record(actor, { action: 'alert.acknowledged', target }, query);
      await publishAlerts(query);
    });
  }

  private async announce(query: TenantQuery, organizationId: string, alertIds: string[]): Promise<void> {
    for (const alertId of alertIds) await this.events.emit(query, 'alert.changed', { organizationId, alertId });
    await publishAlerts(query);
  }
}

/** Open browsers load the list again. */
const publishAlerts = (query: TenantQuery): Promise<void> =>
  publishLive(query, [{ connectionId: null, type: 'alert', data: {} }]);
