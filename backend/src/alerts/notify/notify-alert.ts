import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ENV, type Env } from '../../core/config/env.js';
import { TenantDatabase, type TenantQuery, type TenantWork } from '../../core/database/tenant-database.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { Outbox } from '../../core/outbox/outbox.js';
import { type Message } from '../webhooks/messages.js';
import { listReceivers, storeDeliveries } from '../webhooks/store-deliveries.js';
import { pathOf, titleOf } from '../alert-kinds.js';
import { alertMail } from './mails.js';
import { listMailRecipients, listRulesFor, lockAlert, type NotifiedAlert, pageSubjectOf } from './notified-alert.js';

/** Stores the notifications of an alert: one per rule and recipient when it opens, and one when it recovers. */
@Injectable()
export class NotifyAlert implements OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly events: DomainEvents,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.events.on('alert.changed', ({ organizationId, alertId }) => this.notify(organizationId, alertId));
  }

  /** An alert that recovered before its opening was notified gets both, in this order. */
  async notify(organizationId: string, alertId: string): Promise<void> {
    await this.tenants.write(organizationId, async (transaction, query) => {
      const alert = await lockAlert(query, alertId);
      if (!alert) return;
      if (!alert.openingNotifiedAt) await this.store({ transaction, query }, organizationId, alert, false);
      if (alert.recoveredAt && !alert.recoveryNotifiedAt) await this.store({ transaction, query }, organizationId, alert, true);
      const { openingNotifiedAt, recoveredAt, recoveryNotifiedAt } = alert;
      const now = new Date();
      await transaction.alert.update({
        where: { id: alertId },
        data: {
          openingNotifiedAt: openingNotifiedAt ?? now,
          recoveryNotifiedAt: recoveredAt && (recoveryNotifiedAt ?? laterThan(recoveredAt, now)),
        },
        select: { id: true },
      });
    });
  }

  private async store(work: TenantWork, organizationId: string, alert: NotifiedAlert, isRecovery: boolean): Promise<void> {
    const rules = await listRulesFor(work.transaction, alert.kind, isRecovery);
    const mailRules = rules.filter(({ channel }) => channel === 'mail').map(({ id }) => id);
    await this.storeMails(work.query, organizationId, alert, isRecovery, mailRules);
    const receivers = await listReceivers(
      work.transaction,
      rules.map(({ id }) => id),
    );
    await storeDeliveries(work, organizationId, receivers, this.messageOf(organizationId, alert, isRecovery));
  }

  private messageOf(organizationId: string, alert: NotifiedAlert, isRecovery: boolean): Message {
    const { id, kind, subjectType: type, subjectId, subjectName, message, action, code } = alert;
    const subject = { type, id: subjectId, name: subjectName };
    return {
      type: isRecovery ? 'alert.recovered' : 'alert.opened',
      title: titleOf(kind, subjectName, isRecovery),
      lines: isRecovery ? [] : [message, `What to do: ${action}`],
      url: this.env.PUBLIC_URL + pathOf(organizationId, pageSubjectOf(alert)),
      sequence: `alert:${id}`,
      data: {
        alertId: id,
        kind,
        subject,
        class: alert.class,
        code,
        message,
        action,
        openedAt: alert.openedAt.toISOString(),
        recoveredAt: isRecovery ? (alert.recoveredAt?.toISOString() ?? null) : null,
      },
    };
  }

  private async storeMails(
    query: TenantQuery,
    organizationId: string,
    alert: NotifiedAlert,
    isRecovery: boolean,
    ruleIds: string[],
  ): Promise<void> {
    const { organizationName } = alert;
    for (const { uid, email } of await listMailRecipients(query, ruleIds)) {
      const recipient = { to: email, publicUrl: this.env.PUBLIC_URL, organizationId, organizationName };
      await this.outbox.add(query, {
        kind: 'mail',
        name: isRecovery ? 'alert-recovered' : 'alert-opened',
        content: alertMail(alert, isRecovery, recipient),
        onceKey: `alert:${alert.id}:${isRecovery ? 'recovered' : 'opened'}:${uid}`,
        sequence: `alert:${alert.id}:${uid}`,
      });
    }
  }
}

/** Only a closed alert has equal times. The clock of the database may be ahead. */
const laterThan = (recoveredAt: Date, now: Date): Date => new Date(Math.max(now.getTime(), recoveredAt.getTime() + 1));
