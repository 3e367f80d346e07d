import { Injectable } from '@nestjs/common';
import { IdCursor } from '../core/database/cursor.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import { notFound } from '../core/http/problem.js';
import type { AlertSubject } from '../generated/prisma/enums.js';
import { SUBJECT_NAME, SUBJECT_PAYMENT } from '../read-models/index.js';
import { type AlertKind, titleOf } from './alert-kinds.js';
import type { AlertCounts, AlertEntry, AlertPage, AlertsQuery, AlertState } from './alerts.dto.js';

// SQL: a page of one statement with the names of subjects, and counts by state.

interface AlertRow {
  id: string;
  kind: AlertKind;
  state: AlertState;
  subjectType: AlertSubject;
  subjectId: string;
  subjectName: string;
  paymentId: string | null;
  class: string;
  code: string;
  message: string;
  action: string;
  openedAt: Date;
  acknowledgedAt: Date | null;
  acknowledgedBy: string | null;
  recoveredAt: Date | null;
  isClosed: boolean;
}

const STATE = `case when a.recovered_at is not null then 'recovered' when a.acknowledged_at is not null then 'acknowledged' else 'open' end`;

const SELECT = `
  select a.id, a.kind, ${STATE} as state, a.subject_type as "subjectType", a.subject_id as "subjectId", ${SUBJECT_NAME} as "subjectName",
         ${SUBJECT_PAYMENT} as "paymentId",
         a.failure_class as class, a.code, a.message, a.action, a.opened_at as "openedAt", a.acknowledged_at as "acknowledgedAt",
         u.full_name as "acknowledgedBy", a.recovered_at as "recoveredAt",
         coalesce(a.recovery_notified_at = a.recovered_at, false) as "isClosed"
    from alerts a left join users u on u.uid = a.acknowledged_by
   where a.organization_id = $1`;

const CURSOR = new IdCursor('alerts');

@Injectable()
export class AlertsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Newest first. */
  async listAlerts(organizationId: string, { state, cursor, limit }: AlertsQuery): Promise<AlertPage> {
    const [rows, counts] = await Promise.all([
      this.tenants.query<AlertRow>(
        organizationId,
        `${SELECT} and ($2::uuid is null or a.id < $2) and ($3::text is null or ${STATE} = $3)
            and ($3::text is null or (a.recovered_at is null) = ($3 <> 'recovered')) order by a.id desc limit $4`,
        [CURSOR.after(cursor), state ?? null, limit + 1],
      ),
      this.countAlerts(organizationId),
    ]);
    return { ...CURSOR.toPage(rows.map(toEntry), limit, ({ id }) => [id]), counts };
  }

  async getAlert(organizationId: string, alertId: string): Promise<AlertEntry> {
    const [row] = await this.tenants.query<AlertRow>(organizationId, `${SELECT} and a.id = $2`, [alertId]);
    if (!row) throw notFound('The alert');
    return toEntry(row);
  }

  private async countAlerts(organizationId: string): Promise<AlertCounts> {
    const [counts] = await this.tenants.query<AlertCounts & Record<string, number>>(
      organizationId,
      `select count(*) filter (where acknowledged_at is null)::int as open,
              count(*) filter (where acknowledged_at is not null)::int as acknowledged,
              count(*) filter (where acknowledged_at is null and kind in (
                select unnest(r.events) from notification_rules r
                 where r.organization_id = $1 and r.channel = 'in_app' and r.is_enabled and r.deleted_at is null))::int as badge
         from alerts where organization_id = $1 and recovered_at is null`,
    );
    return { open: counts?.open ?? 0, acknowledged: counts?.acknowledged ?? 0, badge: counts?.badge ?? 0 };
  }
}

function toEntry(row: AlertRow): AlertEntry {
  const { subjectType, subjectId, subjectName, paymentId, ...alert } = row;
  return {
    ...alert,
    subject: { type: subjectType, id: subjectId, name: subjectName, paymentId },
    title: titleOf(row.kind, subjectName, row.recoveredAt !== null && !row.isClosed),
    openedAt: row.openedAt.toISOString(),
    acknowledgedAt: row.acknowledgedAt?.toISOString() ?? null,
    recoveredAt: row.recoveredAt?.toISOString() ?? null,
  };
}
