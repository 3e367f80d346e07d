import { Injectable } from '@nestjs/common';
import { type Actor, emailUnverified } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { SingleFlight } from '../../core/jobs/single-flight.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { isBrokenOff, StripeApi } from '../stripe-api.js';

interface Customer {
  customerId: string | null;
  email: string;
  lostCustomerId: string | null;
  attempt: number;
  [column: string]: unknown;
}

/** One customer at Stripe for each organization, however often and wherever it is asked for at once. */
@Injectable()
export class Customers {
  /** Calls of this process wait for one another, so that a hundred at once are one to Stripe. */
  private readonly making = new SingleFlight<string>();

  constructor(
    private readonly tenants: TenantDatabase,
    private readonly stripe: StripeApi,
    private readonly audit: AuditService,
  ) {}

  /** Stripe mails bills to the customer's address: it must be verified to create one. An existing customer serves every owner. */
  async assertMayHave(actor: Actor): Promise<void> {
    this.stripe.assertOn();
    if (actor.isEmailVerified) return;
    const made = await this.tenants.query(
      actor.organizationId,
      'select from subscriptions where organization_id = $1 and customer_id is not null',
    );
    if (made.length === 0) throw emailUnverified();
  }

  /** Checked for each caller before they share one call: one owner may have a verified address and another not. */
  async ensure(actor: Actor): Promise<string> {
    await this.assertMayHave(actor);
    const { organizationId } = actor;
    return this.making.share(organizationId, () => this.make(actor));
  }

  /**
   * The row decides with which e-mail, so that two processes ask Stripe for the very same with the very same key and get one
   * customer. No lock is held while Stripe answers: a connection of the pool would wait with it.
   */
  private async make(actor: Actor): Promise<string> {
    const { organizationId } = actor;
    const reserved = await this.reserve(actor);
    if (reserved.customerId) return reserved.customerId;
    const made = (await this.findMade(organizationId, reserved)) ?? (await this.create(organizationId, reserved));
    return this.tenants.transaction(organizationId, async (query) => {
      const first = await query(
        `update subscriptions set customer_id = $2 where organization_id = $1 and customer_id is null returning organization_id`,
        [made.id],
      );
      const target = { type: 'customer', id: made.id };
      if (first.length > 0) await this.audit.record(actor, { action: 'billing.customer_created', target }, query);
      const [row] = await query<{ customerId: string }>(
        `select customer_id as "customerId" from subscriptions where organization_id = $1`,
      );
      return row?.customerId ?? made.id;
    });
  }

  /** A call that broke off may have made one. Listed by e-mail, because a search finds new ones only after a minute. */
  private async findMade(organizationId: string, { email, attempt }: Customer): Promise<{ id: string } | null> {
    if (attempt === 0) return null;
    const listed = await this.stripe.call((stripe) =>
      stripe.customers.list({ email, limit: 100 }).autoPagingToArray({ limit: 1_000 }),
    );
    return listed.find(({ metadata }) => metadata['organization_id'] === organizationId) ?? null;
  }

  /** Stripe answers a key for 24 hours as it did first, with its own failures too: after one of those the key is another. */
  private async create(organizationId: string, { email, lostCustomerId, attempt }: Customer): Promise<{ id: string }> {
    const idempotencyKey = ['customer', organizationId, lostCustomerId, attempt || null].filter(Boolean).join(':');
    try {
      return await this.stripe.call((stripe) =>
        stripe.customers.create({ email, metadata: { organization_id: organizationId } }, { idempotencyKey }),
      );
    } catch (error) {
      if (isBrokenOff(error)) {
        await this.tenants.query(
          organizationId,
          'update subscriptions set customer_attempt = $2 + 1 where organization_id = $1 and customer_attempt = $2',
          [attempt],
        );
      }
      throw error;
    }
  }

  private async reserve({ organizationId, email }: Actor): Promise<Customer> {
    const [row] = await this.tenants.query<Customer>(
      organizationId,
      `insert into subscriptions (organization_id, customer_email) values ($1, $2)
       on conflict (organization_id) do update set customer_email = subscriptions.customer_email
       returning customer_id as "customerId", customer_email as email, lost_customer_id as "lostCustomerId",
                 customer_attempt as attempt`,
      [email],
    );
    if (!row) throw new Error('an upsert always has a row');
    return row;
  }
}
