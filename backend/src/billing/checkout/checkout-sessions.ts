import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type Stripe from 'stripe';
import type { Actor } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { Checkout } from '../billing.dto.js';
import { isServerError, isMissing, StripeApi } from '../stripe-api.js';

interface Before {
  hasSubscribed: boolean;
  lastSessionId: string | null;
  attempt: number;
}

/** Keeps at most one open checkout session per organization. */
@Injectable()
export class CheckoutSessions {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly stripe: StripeApi,
    private readonly audit: AuditService,
  ) {}

  async open(actor: Actor, customer: string): Promise<Checkout> {
    const before = await this.read(actor.organizationId);
    const session = (await this.findOpen(before.lastSessionId, customer)) ?? (await this.create(actor, customer, before));
    return { url: session.url ?? '', sessionId: session.id };
  }

  /** The last session if it is open for this customer and price. An open session for another customer or price is expired. */
  private async findOpen(id: string | null, customer: string): Promise<Stripe.Checkout.Session | null> {
    const session = id === null ? null : await this.retrieve(id);
    if (session?.status !== 'open') return null;
    const isAtPrice = session.line_items?.data[0]?.price?.id === this.env.STRIPE_PRICE_ID;
    if (isAtPrice && idOf(session.customer) === customer) return session;
    await this.stripe.call((stripe) => stripe.checkout.sessions.expire(session.id));
    return null;
  }

  /** Null for a session that Stripe does not have: it belongs to another account, or to the other mode (test or live). */
  private async retrieve(id: string): Promise<Stripe.Checkout.Session | null> {
    try {
      return await this.stripe.call((stripe) => stripe.checkout.sessions.retrieve(id, { expand: ['line_items'] }));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  private async create(actor: Actor, customer: string, before: Before): Promise<Stripe.Checkout.Session> {
    const { organizationId } = actor;
    const parameters = this.describe(organizationId, customer, before.hasSubscribed ? 0 : this.env.TRIAL_DAYS);
    try {
      const session = await this.stripe.call((stripe) =>
        stripe.checkout.sessions.create(parameters, { idempotencyKey: keyOf(organizationId, parameters, before) }),
      );
      await this.store(actor, session.id);
      return session;
    } catch (error) {
      if (isServerError(error)) await this.countAttempt(organizationId, before.attempt);
      throw error;
    }
  }

  private describe(organizationId: string, customer: string, trialDays: number): Stripe.Checkout.SessionCreateParams {
    const page = `${this.env.PUBLIC_URL}/${organizationId}/subscription`;
    const metadata = { organization_id: organizationId };
    return {
      mode: 'subscription',
      customer,
      client_reference_id: organizationId,
      line_items: [{ price: this.env.STRIPE_PRICE_ID ?? '', quantity: 1 }],
      success_url: `${page}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${page}/failure`,
      metadata,
      subscription_data: { metadata, ...(trialDays > 0 ? { trial_period_days: trialDays } : {}) },
      allow_promotion_codes: true,
    };
  }

  private store(actor: Actor, sessionId: string): Promise<void> {
    const { organizationId } = actor;
    return this.tenants.write(organizationId, async (transaction, query) => {
      const first = await transaction.subscription.updateMany({
        where: { OR: [{ lastCheckoutSessionId: null }, { lastCheckoutSessionId: { not: sessionId } }] },
        data: { lastCheckoutSessionId: sessionId },
      });
      await transaction.checkoutSession.createMany({ data: { organizationId, id: sessionId }, skipDuplicates: true });
      // Another process has stored the same session, from the same idempotency key.
      if (first.count === 0) return;
      await this.audit.record(actor, { action: 'billing.checkout_opened', target: { type: 'checkout', id: sessionId } }, query);
    });
  }

  private async countAttempt(organizationId: string, attempt: number): Promise<void> {
    await this.tenants.of(organizationId).subscription.updateMany({
      where: { checkoutAttempt: attempt },
      data: { checkoutAttempt: attempt + 1 },
    });
  }

  private async read(organizationId: string): Promise<Before> {
    const row = await this.tenants.of(organizationId).subscription.findFirst({ where: { organizationId } });
    if (!row) throw new Error('the subscription row is missing');
    return { hasSubscribed: row.hasSubscribed, lastSessionId: row.lastCheckoutSessionId, attempt: row.checkoutAttempt };
  }
}

/**
 * Concurrent requests use the same key and open one session; after that session has ended, the key differs. Stripe repeats its
 * first response to a key for 24 hours and rejects a key with other parameters, so the key contains the parameters and failed
 * attempts.
 */
function keyOf(organizationId: string, parameters: object, { lastSessionId, attempt }: Before): string {
  const offer = createHash('sha256').update(JSON.stringify(parameters)).digest('base64url').slice(0, 22);
  return ['checkout', organizationId, lastSessionId, offer, attempt].join(':');
}

export const idOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'string' ? reference : (reference?.id ?? null);
