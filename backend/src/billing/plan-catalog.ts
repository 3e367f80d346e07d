import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { ENV, type Env } from '../core/config/env.js';
import { LOGGER } from '../core/observability/logger.js';
import type { Plan } from './billing.dto.js';
import { StripeApi } from './stripe-api.js';
import { planOf } from './subscription-state.js';

/** Stripe prices do not change, and product names change rarely. */
const CACHE_MS = 600_000;
const MAX_WAIT_MS = 1_500;

/** Cache of Stripe prices. Failed requests are not cached. */
@Injectable()
export class PlanCatalog {
  private readonly cache = new Map<string, { plan: Promise<Plan>; untilMs: number }>();

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly stripe: StripeApi,
  ) {}

  /**
   * Returns null while Stripe is slow or unavailable, so that no request waits for a price. Later requests get the cached price.
   */
  find(priceId: string): Promise<Plan | null> {
    const plan = this.get(priceId).catch((error: unknown) => {
      this.logger.warn({ err: error, priceId }, 'failed to read a price from Stripe');
      return null;
    });
    return Promise.race([plan, delay(MAX_WAIT_MS, null, { ref: false })]);
  }

  /** The plan that a checkout offers; null without billing and while Stripe is unavailable. */
  async findOffered(): Promise<Plan | null> {
    const { BILLING, STRIPE_PRICE_ID } = this.env;
    return BILLING === 'none' || !STRIPE_PRICE_ID ? null : this.find(STRIPE_PRICE_ID);
  }

  private get(priceId: string): Promise<Plan> {
    const cached = this.cache.get(priceId);
    if (cached && cached.untilMs > Date.now()) return cached.plan;
    const plan = this.stripe.call((stripe) => stripe.prices.retrieve(priceId, { expand: ['product'] })).then(planOf);
    const entry = { plan, untilMs: Date.now() + CACHE_MS };
    this.cache.set(priceId, entry);
    plan.catch(() => this.cache.delete(priceId));
    return plan;
  }
}
