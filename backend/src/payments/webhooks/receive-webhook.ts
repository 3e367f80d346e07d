import { Injectable } from '@nestjs/common';
import { readSignedEvent } from '../../connectors/catalog.js';
import { Database } from '../../core/database/database.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { Secrets } from '../../core/encryption/secrets.js';
import { Problem } from '../../core/http/problem.js';
import { storeEvents } from './store-events.js';
import { isUsed } from './webhook-events.js';

// SQL: keeps the newer time in one statement; finds the payment before its organization is known.

interface KnownPayment {
  id: string;
  organizationId: string;
  webhookSecret: string | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Stores the id of a signed event and the days that it may change. An unknown app, a payment without a secret and a wrong signature
 * get the same answer. Duplicates are ignored, and the order does not matter: the days are read again in Stripe's present state.
 */
@Injectable()
export class ReceiveWebhook {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly secrets: Secrets,
    private readonly domainEvents: DomainEvents,
  ) {}

  async receive(appId: string, body: unknown, signature = ''): Promise<void> {
    const payment = UUID.test(appId) ? await this.findPayment(appId) : null;
    const now = new Date();
    const event = Buffer.isBuffer(body) ? readSignedEvent(body, signature, await this.secretOf(payment), now) : null;
    if (!event || !payment) throw unsigned();
    await this.tenants.transaction(payment.organizationId, async (query) => {
      if (isUsed(event.type)) await storeEvents(query, { ...payment, appId }, this.domainEvents, [event], now);
      await query(
        `update payments set last_webhook_at = greatest(last_webhook_at, $3), last_event_at = greatest(last_event_at, $4)
          where organization_id = $1 and id = $2`,
        [payment.id, now, new Date(event.created * 1_000)],
      );
    });
  }

  private async secretOf(payment: KnownPayment | null): Promise<string | null> {
    if (!payment?.webhookSecret) return null;
    const { organizationId, id: rowId, webhookSecret } = payment;
    const place = { organizationId, table: 'payments', column: 'webhook_secret', rowId } as const;
    return String(await this.secrets.decrypt(place, webhookSecret));
  }

  /** The organization is known only by the app in the address, before the signature is verified. */
  private async findPayment(appId: string): Promise<KnownPayment | null> {
    const { rows } = await this.database.pool.query<KnownPayment>({
      name: 'payment-of-app',
      text: `select p.id, p.organization_id as "organizationId", p.webhook_secret as "webhookSecret"
               from apps a
               join payments p on p.organization_id = a.organization_id and p.app_id = a.id and p.deleted_at is null
               join organizations o on o.id = p.organization_id and o.deleted_at is null
              where a.id = $1`,
      values: [appId],
    });
    return rows[0] ?? null;
  }
}

const unsigned = (): Problem =>
  new Problem('webhook.signature_invalid', 'The signature of the event is not valid for this endpoint, or is too old.');
