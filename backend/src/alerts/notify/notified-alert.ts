import type { TenantQuery, TenantTransaction } from '../../core/database/tenant-database.js';
import type { AlertSubject, NotificationChannel } from '../../generated/prisma/enums.js';
import { SUBJECT_NAME, SUBJECT_PAYMENT } from '../../read-models/index.js';
import type { AlertKind } from '../alert-kinds.js';

// SQL: locks the alert, and joins the recipients to users, which are outside of Prisma's tenant client.

/** An alert with what its notifications say. */
export interface NotifiedAlert {
  [column: string]: unknown;
  id: string;
  kind: AlertKind;
  subjectType: AlertSubject;
  subjectId: string;
  subjectName: string;
  paymentId: string | null;
  class: string;
  code: string;
  message: string;
  action: string;
  openedAt: Date;
  recoveredAt: Date | null;
  openingNotifiedAt: Date | null;
  recoveryNotifiedAt: Date | null;
  organizationName: string;
}

/** Locks the alert, so that its notifications are stored once. Null for a deleted organization. */
export async function lockAlert(query: TenantQuery, alertId: string): Promise<NotifiedAlert | null> {
  const [alert] = await query<NotifiedAlert>(
    `select a.id, a.kind, a.subject_type as "subjectType", a.subject_id as "subjectId", ${SUBJECT_NAME} as "subjectName",
            ${SUBJECT_PAYMENT} as "paymentId",
            a.failure_class as class, a.code, a.message, a.action, a.opened_at as "openedAt", a.recovered_at as "recoveredAt",
            a.opening_notified_at as "openingNotifiedAt", a.recovery_notified_at as "recoveryNotifiedAt", o.name as "organizationName"
       from alerts a join organizations o on o.id = a.organization_id and o.deleted_at is null
      where a.organization_id = $1 and a.id = $2 for no key update of a`,
    [alertId],
  );
  return alert ?? null;
}

/** What the page shows on which a user resolves the alert. */
export const pageSubjectOf = ({ subjectType, subjectId, paymentId }: NotifiedAlert): { type: AlertSubject; id: string } =>
  paymentId === null ? { type: subjectType, id: subjectId } : { type: 'payment', id: paymentId };

export interface MatchingRule {
  id: string;
  channel: NotificationChannel;
}

/** Enabled rules for an event, without deleted ones. */
export const listRulesFor = (transaction: TenantTransaction, event: string, isRecovery: boolean): Promise<MatchingRule[]> =>
  transaction.notificationRule.findMany({
    where: { isEnabled: true, deletedAt: null, events: { has: event }, ...(isRecovery && { includesRecovery: true }) },
    orderBy: { id: 'asc' },
    select: { id: true, channel: true },
  });

export interface MailRecipient {
  [column: string]: unknown;
  uid: string;
  email: string;
}

/**
 * Present members with a role of the rules, or chosen in them. A person is listed once. An address that is not verified may be someone
 * else's.
 */
export const listMailRecipients = (query: TenantQuery, ruleIds: string[]): Promise<MailRecipient[]> =>
  query<MailRecipient>(
    `select u.uid, u.email from members m join users u on u.uid = m.user_id and u.disabled_at is null and u.is_email_verified
      where m.organization_id = $1 and exists (
        select from notification_rules r
         where r.organization_id = $1 and r.id = any($2::uuid[]) and (m.role = any(r.roles) or m.user_id = any(r.member_ids)))
      order by u.uid`,
    [ruleIds],
  );
