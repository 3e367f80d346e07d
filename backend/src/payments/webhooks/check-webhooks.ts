import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { accessSql } from '../../access/index.js';
import { Alerts } from '../../alerts/index.js';
import { AuthorizedApps } from '../../apps/index.js';
import { Connectors } from '../../catalog/index.js';
import type { PlatformEvent } from '../../connectors/kit/connector.js';
import type { ConnectorContext } from '../../connectors/kit/contract.js';
import { ConnectorError } from '../../connectors/kit/errors.js';
import { PAYMENT_PROVIDER } from '../../connectors/catalog.js';
import { withinTime } from '../../connectors/kit/within-time.js';
import { ENV, type Env } from '../../core/config/env.js';
import { WAITS, type Waits } from '../../core/config/waits.js';
import { Database } from '../../core/database/database.js';
import { type TenantQuery, TenantDatabase } from '../../core/database/tenant-database.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { storeEvents } from './store-events.js';
import { webhookTypes } from './webhook-events.js';
import { webhookMissing } from './webhook-missing.js';

// SQL: sets values that depend on stored ones, and returns the changed row. A check does not change `updated_at`.

const checkPaymentWebhooks = defineScheduledJob('check-payment-webhooks', 'every-quarter-hour');

const DAY_MS = 86_400_000;
/** Stripe's list reaches 30 days back. */
const LISTED_MS = 30 * DAY_MS - 3_600_000;
/** Stripe usually delivers within seconds. A younger event is not missing yet. */
const GRACE_MS = 15 * 60_000;
/** Events may be added to the list a moment after they happened. */
const OVERLAP_MS = 60 * 60_000;
/** Stripe lists the newest events first, so a list that is not read to its end stores nothing. Short steps keep what was read. */
const STEP_MS = 6 * 60 * 60_000;
const KEPT_DAYS = 35;
const BATCH = 200;
const TIMEOUT_MS = 60_000;

interface DuePayment {
  id: string;
  organizationId: string;
  appId: string;
  createdAt: Date;
  checkedAt: Date | null;
}

interface CheckedPayment extends Record<string, unknown> {
  isMissing: boolean;
  missingEvents: number;
  hasSecret: boolean;
  isDeleted: boolean;
}

/**
 * Compares Stripe's own list of events with the webhooks that arrived. Events that no webhook delivered are applied like delivered
 * ones, so a missing webhook delays rows and loses none; the payment shows that it is missing.
 */
@Injectable()
export class CheckWebhooks implements OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(WAITS) private readonly waits: Waits,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: Jobs,
    private readonly connectors: Connectors,
    private readonly access: AuthorizedApps,
    private readonly domainEvents: DomainEvents,
    private readonly alerts: Alerts,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(checkPaymentWebhooks, (_payload, { signal }) => this.checkAll(signal));
  }

  /** Without a subscription no rows are loaded. The first check afterwards lists what happened in the meantime, up to 30 days. */
  async checkAll(signal: AbortSignal, batch = BATCH): Promise<void> {
    // Intentionally over all organizations: it only selects ids.
    const { rows } = await this.database.pool.query<DuePayment>(
      `select p.id, p.organization_id as "organizationId", p.app_id as "appId", p.created_at as "createdAt",
              p.webhooks_checked_at as "checkedAt"
         from payments p
         join organizations o on o.id = p.organization_id and o.deleted_at is null
         join apps a on a.organization_id = p.organization_id and a.id = p.app_id and a.state in ('connected', 'expiring')
         left join subscriptions s on s.organization_id = p.organization_id
        where p.deleted_at is null and p.desired = 'active' and ${accessSql(this.env, 's')} <> 'closed'
        order by p.webhooks_attempted_at nulls first limit $1`,
      [batch],
    );
    for (const payment of rows) {
      signal.throwIfAborted();
      await this.checkOne(payment, signal).catch((error: unknown) => {
        if (signal.aborted) throw error;
        // The run of the payment shows an error of Stripe. The next check lists the events that are not stored yet.
        const level = error instanceof ConnectorError ? 'warn' : 'error';
        this.logger[level]({ err: error, paymentId: payment.id }, 'the webhooks of a payment could not be checked');
      });
    }
    await this.database.prisma.paymentWebhookEvent.deleteMany({
      where: { storedAt: { lt: new Date(Date.now() - KEPT_DAYS * DAY_MS) }, appliedAt: { not: null } },
    });
  }

  private async checkOne(payment: DuePayment, signal: AbortSignal): Promise<void> {
    const { id, organizationId } = payment;
    // Before the check, so that payments that cannot be checked do not come before all others again.
    await this.tenants.query(
      organizationId,
      'update payments set webhooks_attempted_at = now() where organization_id = $1 and id = $2',
      [id],
    );
    const now = Date.now();
    const since = Math.max(payment.createdAt.getTime(), (payment.checkedAt?.getTime() ?? 0) - OVERLAP_MS);
    const until = now - (this.waits.paymentGraceMs ?? GRACE_MS);
    const serviceName = this.connectors.nameOf(PAYMENT_PROVIDER);
    const milliseconds = this.waits.paymentTimeoutMs ?? TIMEOUT_MS;
    await withinTime({ serviceName, milliseconds, signal }, async (limited) => {
      const context = { signal: limited, onRequest: () => undefined };
      let missing = 0;
      for (let from = Math.max(now - LISTED_MS, since); from < until; from += STEP_MS) {
        const range = { from: new Date(from), to: new Date(Math.min(from + STEP_MS, until)) };
        missing = await this.store(payment, await this.listEvents(payment, range, context), range.to, missing);
      }
    });
  }

  /** @param missingBefore events that this check has found before; returns the sum */
  private store(payment: DuePayment, events: PlatformEvent[], until: Date, missingBefore: number): Promise<number> {
    return this.tenants.transaction(payment.organizationId, async (query) => {
      const missing = missingBefore + (await storeEvents(query, payment, this.domainEvents, events, null));
      const newest = Math.max(0, ...events.map(({ created }) => created));
      const [checked] = await query<CheckedPayment>(
        `update payments set webhooks_checked_at = $3, last_event_at = greatest(last_event_at, to_timestamp(nullif($5::float8, 0))),
                webhooks_missing = case when $4::int > 0 then $4 when ${DELIVERED_SINCE} then 0 else webhooks_missing end,
                webhook_missing_since = case when $4::int > 0 then coalesce(webhook_missing_since, now())
                                             when ${DELIVERED_SINCE} then null else webhook_missing_since end
          where organization_id = $1 and id = $2
         returning webhook_missing_since is not null as "isMissing", webhooks_missing as "missingEvents",
                   webhook_secret is not null as "hasSecret", deleted_at is not null as "isDeleted"`,
        [payment.id, until, missing, newest],
      );
      if (checked && !checked.isDeleted) await this.alert(query, payment, checked);
      return missing;
    });
  }

  private alert(query: TenantQuery, { organizationId, id }: DuePayment, checked: CheckedPayment): Promise<void> {
    const kind = 'payment.webhook_missing';
    return checked.isMissing
      ? this.alerts.open(query, organizationId, { kind, subjectId: id, failure: webhookMissing(checked) })
      : this.alerts.recover(query, organizationId, id, [kind]);
  }

  private async listEvents(
    { organizationId, appId: id }: DuePayment,
    range: { from: Date; to: Date },
    context: ConnectorContext,
  ): Promise<PlatformEvent[]> {
    const key = this.access.keyOf({ organizationId, id });
    const events: PlatformEvent[] = [];
    const types = [...webhookTypes];
    for await (const page of this.connectors.getPaymentSource(PAYMENT_PROVIDER).listEvents(key, context, { ...range, types }))
      events.push(...page);
    return events;
  }
}

/** A quiet account says nothing: only a later delivery shows that the endpoint works again. */
const DELIVERED_SINCE = 'last_webhook_at > webhook_missing_since';
