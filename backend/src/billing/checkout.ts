import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type Stripe from 'stripe';
import type { Actor } from '../access/access.decorator.js';
import { AuditService } from '../audit/audit.service.js';
import { ENV, type Env } from '../platform/env.js';
import { LOGGER } from '../platform/logger.js';
import { Problem } from '../platform/problem.js';
import { TenantDoor } from '../platform/tenant.js';
import type { Checkout, Portal, SubscriptionStatusName } from './billing.dto.js';
import { Customers } from './customers.service.js';
import { StripeApi } from './stripe-api.js';
import { SyncSubscription } from './sync-subscription.js';

const SUBSCRIBED: SubscriptionStatusName[] = ['trialing', 'active', 'past_due'];

interface BillingRow {
  customerId: string | null;
  status: SubscriptionStatusName;
  hasSubscribed: boolean;
  lastCheckoutSessionId: string | null;
  [column: string]: unknown;
}

const NOTHING_YET: BillingRow = { customerId: null, status: 'none', hasSubscribed: false, lastCheckoutSessionId: null };

/** The pages at Stripe where people pay and change what they pay. */
@Injectable()
export class CheckoutPages {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly tenants: TenantDoor,
    private readonly stripe: StripeApi,
    private readonly customers: Customers,
    private readonly sync: SyncSubscription,
    private readonly audit: AuditService,
  ) {}

  /** Stripe is asked first: a webhook may be late, and nobody is to pay twice. A page that is still open is handed out again. */
  async openCheckout(actor: Actor): Promise<Checkout> {
    const { organizationId } = actor;
    this.stripe.assertOn();
    await this.sync.sync(organizationId);
    const before = await this.read(organizationId);
    if (SUBSCRIBED.includes(before.status)) {
      const detail = 'The organization is subscribed already.';
      throw new Problem('subscription.exists', { detail, action: 'Change it in the portal' });
    }
    const customer = await this.customers.ensure(actor);
    const session = (await this.findOpen(before.lastCheckoutSessionId)) ?? (await this.create(actor, customer, before));
    return { url: session.url ?? '', sessionId: session.id };
  }

  async openPortal(actor: Actor): Promise<Portal> {
    const { organizationId } = actor;
    this.stripe.assertOn();
    const { customerId } = await this.read(organizationId);
    if (!customerId) {
      throw new Problem('subscription.no_customer', { detail: 'Nobody has chosen a plan yet.', action: 'Choose a plan' });
    }
    const return_url = `${this.env.PUBLIC_URL}/${organizationId}/subscription`;
    const { url } = await this.stripe.call((stripe) =>
      stripe.billingPortal.sessions.create({ customer: customerId, return_url }),
    );
    await this.audit.record(actor, { action: 'billing.portal_opened', target: { type: 'customer', id: customerId } });
    return { url };
  }

  /** Whether the session is this organization's and was completed; what came of it is taken over at once. */
  async isValid(organizationId: string, sessionId: string): Promise<boolean> {
    const { customerId, lastCheckoutSessionId, status } = await this.read(organizationId);
    if (!customerId || !/^cs_\w{1,250}$/.test(sessionId)) return false;
    try {
      const session = await this.stripe.call((stripe) => stripe.checkout.sessions.retrieve(sessionId));
      if (session.client_reference_id !== organizationId || idOf(session.customer) !== customerId) return false;
      if (session.status !== 'complete') return false;
      await this.sync.sync(organizationId);
      return true;
    } catch (error) {
      this.logger.warn({ err: error, organizationId }, 'a checkout session could not be asked for');
      // What a webhook has told meanwhile stands; without it, one that cannot be asked for is not valid yet.
      return sessionId === lastCheckoutSessionId && SUBSCRIBED.includes(status);
    }
  }

  private async findOpen(sessionId: string | null): Promise<Stripe.Checkout.Session | null> {
    if (sessionId === null) return null;
    const session = await this.stripe.call((stripe) => stripe.checkout.sessions.retrieve(sessionId));
    return session.status === 'open' ? session : null;
  }

  private async create(actor: Actor, customer: string, before: BillingRow): Promise<Stripe.Checkout.Session> {
    const { organizationId } = actor;
    const trialDays = before.hasSubscribed ? 0 : this.env.TRIAL_DAYS;
    const price = this.env.STRIPE_PRICE_ID ?? '';
    const page = `${this.env.PUBLIC_URL}/${organizationId}/subscription`;
    // Two clicks at once open one page; the next one, after it has ended, opens another.
    const idempotencyKey = ['checkout', organizationId, before.lastCheckoutSessionId, price, trialDays].join(':');
    const metadata = { organization_id: organizationId };
    const session = await this.stripe.call((stripe) =>
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer,
          client_reference_id: organizationId,
          line_items: [{ price, quantity: 1 }],
          success_url: `${page}/success?session_id={CHECKOUT_SESSION_ID}`,
          cancel_url: `${page}/failure`,
          metadata,
          subscription_data: { metadata, ...(trialDays > 0 ? { trial_period_days: trialDays } : {}) },
          allow_promotion_codes: true,
        },
        { idempotencyKey },
      ),
    );
    await this.tenants.transaction(organizationId, async (query) => {
      await query('update subscriptions set last_checkout_session_id = $2 where organization_id = $1', [session.id]);
      await this.audit.record(actor, { action: 'billing.checkout_opened', target: { type: 'checkout', id: session.id } }, query);
    });
    return session;
  }

  private async read(organizationId: string): Promise<BillingRow> {
    const [row] = await this.tenants.query<BillingRow>(
      organizationId,
      `select customer_id as "customerId", status, last_checkout_session_id as "lastCheckoutSessionId",
              subscription_id is not null or lost_customer_id is not null as "hasSubscribed"
         from subscriptions where organization_id = $1`,
    );
    return row ?? NOTHING_YET;
  }
}

const idOf = (thing: string | { id: string } | null): string | null => (typeof thing === 'string' ? thing : (thing?.id ?? null));
