import { Inject, Injectable } from '@nestjs/common';
import { type ConnectionEntry, PaymentConnections } from '../connections/index.js';
import { decimalsOf, type PaymentEvent, toMinor } from '../connectors/catalog.js';
import { ENV, type Env } from '../core/config/env.js';
import { IdCursor } from '../core/database/cursor.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { Failure } from '../core/http/failure.dto.js';
import type { PageQuery } from '../core/http/page.dto.js';
import { notFound } from '../core/http/problem.js';
import { type PaymentEntry, type PaymentHealth, paymentHealths, type PaymentPage, type PaymentRevenue } from './payments.dto.js';
import { webhookTypes } from './webhooks/webhook-events.js';
import { webhookMissing } from './webhooks/webhook-missing.js';

// SQL: a page of one statement, and sums of the newest days by currency.

interface PaymentRow {
  id: string;
  name: string;
  app: PaymentEntry['app'];
  appFailure: Failure | null;
  customerIdType: string;
  events: PaymentEvent[];
  amountMode: 'gross' | 'net';
  historyFrom: string;
  desired: 'active' | 'paused';
  hasSecret: boolean;
  secretAt: Date | null;
  lastWebhookAt: Date | null;
  checkedAt: Date | null;
  missingSince: Date | null;
  missingEvents: number;
  lastEventAt: Date | null;
  lastEventDay: string | null;
  createdAt: Date;
  version: number;
}

const SELECT = `
  select p.id, p.name, p.customer_id_type as "customerIdType", p.events, p.amount_mode as "amountMode", p.history_from as "historyFrom",
         p.desired, p.webhook_secret is not null as "hasSecret", p.webhook_secret_at as "secretAt",
         p.last_webhook_at as "lastWebhookAt", p.webhooks_checked_at as "checkedAt", p.webhook_missing_since as "missingSince",
         p.webhooks_missing as "missingEvents", p.last_event_at as "lastEventAt", loaded.day as "lastEventDay", p.created_at as "createdAt", p.version,
         json_build_object('id', a.id, 'name', a.display_name, 'provider', a.provider, 'state', a.state,
           'credentialHint', a.credential_hint) as app, a.failure as "appFailure"
    from payments p
    join apps a on a.organization_id = p.organization_id and a.id = p.app_id
    left join lateral (select max(v.day)::text as day from connections c
                         join coverage v on v.organization_id = c.organization_id and v.connection_id = c.id and v.rows > 0
                        where c.organization_id = p.organization_id and c.payment_id = p.id and c.deleted_at is null) loaded on true
   where p.organization_id = $1 and p.deleted_at is null`;

/**
 * Verified sums of 30 days, which the transaction that loads a day keeps in `coverage`. Every destination has the same rows, so the
 * newest reading of a day counts.
 */
const REVENUE = `
  select newest.payment_id as "paymentId", account.value->>'currency' as currency, sum(newest.cost_micros)::text as micros
    from (select distinct on (c.payment_id, v.account_id, v.day) c.payment_id, c.source_id, v.account_id, v.cost_micros
            from connections c
            join coverage v on v.organization_id = c.organization_id and v.connection_id = c.id
                           and v.day > (now() at time zone 'UTC')::date - 30 and v.last_verified_at is not null
           where c.organization_id = $1 and c.payment_id = any($2::uuid[]) and c.deleted_at is null
           order by c.payment_id, v.account_id, v.day, v.last_verified_at desc) newest
    join sources s on s.organization_id = $1 and s.id = newest.source_id
    join apps a on a.organization_id = s.organization_id and a.id = s.app_id
   cross join jsonb_array_elements(a.accounts) account(value)
   where account.value->>'externalId' = newest.account_id
   group by newest.payment_id, account.value->>'currency' order by 2`;

const CURSOR = new IdCursor('payments');

@Injectable()
export class PaymentsQueries {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly connections: PaymentConnections,
  ) {}

  async listPayments(organizationId: string, { cursor, limit }: PageQuery): Promise<PaymentPage> {
    const rows = await this.tenants.query<PaymentRow>(
      organizationId,
      `${SELECT} and ($2::uuid is null or p.id > $2) order by p.id limit $3`,
      [CURSOR.after(cursor), limit + 1],
    );
    const page = CURSOR.toPage(rows, limit, ({ id }) => [id]);
    return { items: await this.entries(organizationId, page.items), nextCursor: page.nextCursor };
  }

  async getPayment(organizationId: string, paymentId: string): Promise<PaymentEntry> {
    const rows = await this.tenants.query<PaymentRow>(organizationId, `${SELECT} and p.id = $2`, [paymentId]);
    const [entry] = await this.entries(organizationId, rows);
    if (!entry) throw notFound('The payment');
    return entry;
  }

  private async entries(organizationId: string, rows: PaymentRow[]): Promise<PaymentEntry[]> {
    const ids = rows.map(({ id }) => id);
    const [connections, revenue] = await Promise.all([
      this.connections.listOfPayments(organizationId, ids),
      this.tenants.query<{ paymentId: string; currency: string; micros: string }>(organizationId, REVENUE, [ids]),
    ]);
    return rows.map((row) =>
      this.toEntry(
        row,
        connections.filter(({ paymentId }) => paymentId === row.id),
        revenue.filter(({ paymentId }) => paymentId === row.id).map(toRevenue),
      ),
    );
  }

  private toEntry(row: PaymentRow, connections: ConnectionEntry[], netRevenue30Days: PaymentRevenue[]): PaymentEntry {
    const { id, name, app, customerIdType, events, amountMode, historyFrom, desired, version } = row;
    const worst = connections.toSorted((one, other) => rankOf(one.health) - rankOf(other.health))[0];
    const isMissing = row.missingSince !== null && desired === 'active';
    const isWebhookWorst = isMissing && (!worst || rankOf('webhook_missing') < rankOf(worst.health));
    return {
      ...{ id, name, app, customerIdType, events, amountMode, historyFrom, desired, version, netRevenue30Days },
      destinations: connections.map(toDestination),
      health: isWebhookWorst ? 'webhook_missing' : (worst?.health ?? 'never_run'),
      healthReason: isWebhookWorst ? `Stripe has ${row.missingEvents} events that no webhook delivered` : (worst?.healthReason ?? 'No run has ended yet'), // prettier-ignore
      failure: isWebhookWorst ? webhookMissing(row) : (worst?.pause?.failure ?? worst?.failure ?? null),
      lastEventAt: row.lastEventAt?.toISOString() ?? null,
      lastEventDay: row.lastEventDay,
      webhook: {
        url: `${this.env.PUBLIC_URL}/webhooks/payments/${app.id}`,
        events: [...webhookTypes],
        secretState: row.hasSecret ? 'entered' : 'missing',
        secretEnteredAt: row.secretAt?.toISOString() ?? null,
        lastDeliveryAt: row.lastWebhookAt?.toISOString() ?? null,
        checkedAt: row.checkedAt?.toISOString() ?? null,
        missingSince: row.missingSince?.toISOString() ?? null,
        missingEvents: row.missingEvents,
      },
      createdAt: row.createdAt.toISOString(),
    };
  }
}

const rankOf = (health: PaymentHealth): number => paymentHealths.indexOf(health);

const toDestination = ({
  id,
  destination,
  streams,
  health,
  healthReason,
  completeThrough,
  activeRun,
  lastRun,
  pause,
}: ConnectionEntry) => ({
  ...{ id: destination.id, name: destination.name, provider: destination.provider },
  table: streams[0]?.targetTable ?? '',
  connectionId: id,
  ...{ health, healthReason, completeThrough },
  activeRunId: activeRun?.runId ?? null,
  lastRunId: lastRun?.id ?? null,
  pause,
});

const toRevenue = ({ currency, micros }: { currency: string; micros: string }): PaymentRevenue => ({
  currency,
  amountMinor: Number(toMinor(BigInt(micros), currency)),
  decimals: decimalsOf(currency),
});
