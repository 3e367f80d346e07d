import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { addDays, dayInTimeZone } from '../../connectors/kit/days.js';
import { momentInTimeZone } from '../../connectors/kit/moments.js';
import { formatCount, plural } from '../../connectors/kit/plural.js';
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

// SQL: lists the organizations of all rules in one statement.

const weeklySummary = defineScheduledJob('weekly-summary', 'every-quarter-hour');

/** Sent on Monday from this time on, in the organization's time zone, or as soon as a worker runs again. */
const SENT_FROM = '08:00';

interface SummarizedOrganization {
  organizationId: string;
  name: string;
  timeZone: string;
  /** The earliest one of its rules. */
  summarizedWeek: string;
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
    for (const organization of await this.listOrganizations()) {
      const { organizationId, timeZone, summarizedWeek } = organization;
      try {
        const week = weekOf(now, timeZone);
        if (summarizedWeek >= week || momentInTimeZone(week, SENT_FROM, timeZone) > now) continue;
        await this.tenants.write(organizationId, (transaction, query) => this.store({ transaction, query }, organization, week));
      } catch (error) {
        // The next round retries this organization.
        this.logger.error({ err: error, organizationId }, 'failed to store a weekly summary');
      }
    }
  }

  /** Intentionally all organizations. Their clocks are not read here: an unknown time zone would fail the statement for all of them. */
  private async listOrganizations(): Promise<SummarizedOrganization[]> {
    const { rows } = await this.database.pool.query<SummarizedOrganization>(
      `select o.id as "organizationId", o.name, o.time_zone as "timeZone", min(r.summarized_week)::text as "summarizedWeek"
         from organizations o join notification_rules r on r.organization_id = o.id
        where o.deleted_at is null and r.is_enabled and r.deleted_at is null and '${WEEKLY_SUMMARY}' = any(r.events)
        group by o.id order by o.id`,
    );
    return rows;
  }

  /** The worker that updates the rules stores the summary, so that two workers store one. */
  private async store(work: TenantWork, { organizationId, name, timeZone }: SummarizedOrganization, week: string): Promise<void> {
    const { transaction, query } = work;
    const summarizedWeek = dayToDate(week);
    const rules = await transaction.notificationRule.updateManyAndReturn({
      where: { isEnabled: true, deletedAt: null, events: { has: WEEKLY_SUMMARY }, summarizedWeek: { lt: summarizedWeek } },
      data: { summarizedWeek },
      select: { id: true, channel: true },
    });
    if (rules.length === 0) return;
    const numbers = await readNumbersOfWeek(query, {
      from: momentInTimeZone(addDays(week, -7), '00:00', timeZone),
      to: momentInTimeZone(week, '00:00', timeZone),
    });
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

/** Monday of the week of a moment. */
function weekOf(moment: Date, timeZone: string): string {
  const today = dayInTimeZone(moment, timeZone);
  return addDays(today, -((dayToDate(today).getUTCDay() + 6) % 7));
}

function sentencesOf(numbers: NumbersOfWeek): string[] {
  const { connections, paused, payments, succeeded, partial, unverified, failed, rows, openAlerts, newAlerts } = numbers;
  const what = `${plural(connections, 'connection')} (${paused} paused)${payments > 0 ? ` and ${plural(payments, 'payment')}` : ''}`;
  const runs = [
    `${formatCount(succeeded)} succeeded`,
    ...(partial > 0 ? [`${formatCount(partial)} partly verified`] : []),
    ...(unverified > 0 ? [`${formatCount(unverified)} not verified`] : []),
    `${formatCount(failed)} failed`,
  ];
  return [
    `Runs of ${what}: ${runs.join(', ')}. Rows written: ${formatCount(rows)}.`,
    `Alerts: ${newAlerts} new in this week, ${openAlerts} not recovered.`,
  ];
}
