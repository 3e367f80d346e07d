import { Injectable } from '@nestjs/common';
import { type Actor, emailUnverified } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { SingleFlight } from '../../core/jobs/single-flight.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { isServerError, StripeApi } from '../stripe-api.js';

interface Customer {
  customerId: string | null;
  email: string;
  lostCustomerId: string | null;
  attempt: number;
}

/** Creates one Stripe customer per organization, also for concurrent requests in several processes. */
@Injectable()
export class Customers {
  /** Concurrent calls in this process share one request to Stripe. */
  private readonly creating = new SingleFlight<string>();

  constructor(
    private readonly tenants: TenantDatabase,
    private readonly stripe: StripeApi,
    private readonly audit: AuditService,
  ) {}

  /** Stripe mails invoices to the customer's address, so creation requires a verified address. All owners share the customer. */
  async assertCanUse(actor: Actor): Promise<void> {
    this.stripe.assertOn();
    if (actor.isEmailVerified) return;
    const subscriptions = this.tenants.of(actor.organizationId).subscription;
    if ((await subscriptions.count({ where: { customerId: { not: null } } })) === 0) throw emailUnverified();
  }

  /** Checks each caller before concurrent calls are shared, because one owner can have a verified address and another not. */
  async ensure(actor: Actor): Promise<string> {
    await this.assertCanUse(actor);
    const { organizationId } = actor;
    return this.creating.share(organizationId, () => this.findOrCreate(actor));
  }

  /**
   * The stored row determines the e-mail, so that two processes send the same request with the same idempotency key and get one
   * customer. No lock is held during the request to Stripe, because it would block a connection of the pool.
   */
  private async findOrCreate(actor: Actor): Promise<string> {
    const { organizationId } = actor;
    const reserved = await this.reserve(actor);
    if (reserved.customerId) return reserved.customerId;
    const customer = (await this.findCreated(organizationId, reserved)) ?? (await this.create(organizationId, reserved));
    return this.tenants.write(organizationId, async (transaction, query) => {
      const first = await transaction.subscription.updateMany({ where: { customerId: null }, data: { customerId: customer.id } });
      const target = { type: 'customer', id: customer.id };
      if (first.count > 0) await this.audit.record(actor, { action: 'billing.customer_created', target }, query);
      const row = await transaction.subscription.findFirst({ where: { organizationId }, select: { customerId: true } });
      return row?.customerId ?? customer.id;
    });
  }

  /**
   * A failed request may have created a customer. Uses the list by e-mail, because Stripe's search finds new ones after a minute.
   */
  private async findCreated(organizationId: string, { email, attempt }: Customer): Promise<{ id: string } | null> {
    if (attempt === 0) return null;
    const listed = await this.stripe.call((stripe) =>
      stripe.customers.list({ email, limit: 100 }).autoPagingToArray({ limit: 1_000 }),
    );
    return listed.find(({ metadata }) => metadata['organization_id'] === organizationId) ?? null;
  }

  /**
   * Stripe repeats its first response to an idempotency key for 24 hours, also a 5xx. After a 5xx the next attempt uses a new
   * key.
   */
  private async create(organizationId: string, { email, lostCustomerId, attempt }: Customer): Promise<{ id: string }> {
    const idempotencyKey = ['customer', organizationId, lostCustomerId, attempt || null].filter(Boolean).join(':');
    try {
      return await this.stripe.call((stripe) =>
        stripe.customers.create({ email, metadata: { organization_id: organizationId } }, { idempotencyKey }),
      );
    } catch (error) {
      if (isServerError(error)) {
        await this.tenants.of(organizationId).subscription.updateMany({
          where: { customerAttempt: attempt },
          data: { customerAttempt: attempt + 1 },
        });
      }
      throw error;
    }
  }

  /** Keeps the stored e-mail and returns it, also to concurrent calls. */
  private async reserve({ organizationId, email }: Actor): Promise<Customer> {
    const { subscription } = this.tenants.of(organizationId);
    await subscription.createMany({ data: [{ organizationId, customerEmail: email }], skipDuplicates: true });
    const row = await subscription.findFirstOrThrow({ where: { organizationId } });
    return {
      customerId: row.customerId,
      email: row.customerEmail,
      lostCustomerId: row.lostCustomerId,
      attempt: row.customerAttempt,
    };
  }
}
