import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { plural } from '../../connectors/kit/plural.js';
import { ENV, type Env } from '../../core/config/env.js';
import { Database } from '../../core/database/database.js';
import { dayToDate } from '../../core/database/days.js';
import { TenantDatabase, type TenantWork } from '../../core/database/tenant-database.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { Outbox } from '../../core/outbox/outbox.js';
import { type NumbersOfWeek, readNumbersOfWeek } from '../../read-models/index.js';
import { WEEKLY_SUMMARY } from '../alert-kinds.js';
import { whyReceived } from '../notify/mails.js';
import { listMailRecipients } from '../notify/notified-alert.js';
import { listReceivers, storeDeliveries } from '../webhooks/store-deliveries.js';

// SQL: selects due organizations by the clock of each time zone.

const weeklySummary = defineScheduledJob('weekly-summary', 'every-quarter-hour');

/** Sent on Monday from this hour on, in the organization's time zone, or as soon as a worker runs again. */
const HOUR = 8;

interface DueOrganization {
  organizationId: string;
  /** Monday of the present week, in the organization's time zone. */
  week: string;
  name: string;
  timeZone: string;
}

/** Sends the summary of the past week, once per week and organization. */
@Injectable()
export class WeeklySummary implements OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(weeklySummary, () => this.send(new Date()));
  }

  async send(now: Date): Promise<void> {
    // Intentionally over all organizations: it only selects ids.
    const { rows } = await this.database.pool.query<DueOrganization>(
      `select o.id as "organizationId", o.name, o.time_zone as "timeZone",
              date_trunc('week', $1::timestamptz at time zone o.time_zone)::date::text as week
         from organizations o
        where o.deleted_at is null
          and date_trunc('week', $1::timestamptz at time zone o.time_zone) + make_interval(hours => ${HOUR}) <= $1::timestamptz at time zone o.time_zone
          and exists (select from notification_rules r
                       where r.organization_id = o.id and r.is_enabled and '${WEEKLY_SUMMARY}' = any(r.events)
                         and r.summarized_week < date_trunc('week', $1::timestamptz at time zone o.time_zone)::date)
        order by o.id`,
      [now],
    );
    for (const organization of rows) {
      try {
        await this.tenants.write(organization.organizationId, (transaction, query) =>
          this.store({ transaction, query }, organization),
        );
      } catch (error) {
        // The next round retries this organization.
        this.logger.error({ err: error, organizationId: organization.organizationId }, 'failed to store a weekly summary');
      }
    }
  }

  /** The worker that updates the rules stores the summary, so that two workers store one. */
  private async store(work: TenantWork, { organizationId, week, name, timeZone }: DueOrganization): Promise<void> {
    const { transaction, query } = work;
    const summarizedWeek = dayToDate(week);
    const rules = await transaction.notificationRule.updateManyAndReturn({
      where: { isEnabled: true, events: { has: WEEKLY_SUMMARY }, summarizedWeek: { lt: summarizedWeek } },
      data: { summarizedWeek },
      select: { id: true, channel: true },
    });
    if (rules.length === 0) return;
    const numbers = await readNumbersOfWeek(query, week, timeZone);
    const lines = sentencesOf(numbers);
    const title = `The week of ${name}`;
    const url = `${this.env.PUBLIC_URL}/${organizationId}/connection`;
    const idsOf = (isMail: boolean) => rules.filter(({ channel }) => (channel === 'mail') === isMail).map(({ id }) => id);
    for (const { uid, email } of await listMailRecipients(query, idsOf(true))) {
      const note = whyReceived({ to: email, publicUrl: this.env.PUBLIC_URL, organizationId, organizationName: name });
      const button = { label: 'Open the connections', url };
      await this.outbox.add(query, {
        kind: 'mail',
        name: 'weekly-summary',
        content: { to: email, subject: title, heading: title, paragraphs: lines, button, note },
        onceKey: `weekly-summary:${organizationId}:${week}:${uid}`,
      });
    }
    const message = { type: WEEKLY_SUMMARY, title, lines, url, data: { week, ...numbers } };
    await storeDeliveries(work, organizationId, await listReceivers(transaction, idsOf(false)), message);
  }
}

const sentencesOf = ({ connections, paused, succeeded, failed, rows, openAlerts, newAlerts }: NumbersOfWeek): string[] => [
  `Runs of ${plural(connections, 'connection')} (${paused} paused): ${succeeded} succeeded, ${failed} failed. Rows written: ${rows.toLocaleString('en')}.`,
  `Alerts: ${newAlerts} new in this week, ${openAlerts} not recovered.`,
];
