import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { ENV, type Env } from '../platform/env.js';
import { LOGGER } from '../platform/logger.js';
import type { Plan } from './billing.dto.js';
import { StripeApi } from './stripe-api.js';
import { planOf } from './subscription-state.js';

/** Prices at Stripe never change, their product's name seldom does. */
const KEPT_MS = 600_000;
/** A failed look is not repeated by everybody who opens a page. */
const FAILED_KEPT_MS = 30_000;
const LONGEST_WAIT_MS = 1_500;

/** What is sold: prices of Stripe, kept for a while. */
@Injectable()
export class PlanCatalog {
  private readonly kept = new Map<string, { plan: Promise<Plan>; untilMs: number }>();

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly stripe: StripeApi,
  ) {}

  get(priceId: string): Promise<Plan> {
    const kept = this.kept.get(priceId);
    if (kept && kept.untilMs > Date.now()) return kept.plan;
    const plan = this.stripe.call((stripe) => stripe.prices.retrieve(priceId, { expand: ['product'] })).then(planOf);
    const entry = { plan, untilMs: Date.now() + KEPT_MS };
    this.kept.set(priceId, entry);
    plan.catch(() => (entry.untilMs = Date.now() + FAILED_KEPT_MS));
    return plan;
  }

  /** What a checkout would sell; null where nobody pays and while Stripe does not say. */
  async findOffered(): Promise<Plan | null> {
    const { BILLING, STRIPE_PRICE_ID } = this.env;
    if (BILLING === 'none' || !STRIPE_PRICE_ID) return null;
    const plan = this.get(STRIPE_PRICE_ID).catch((error: unknown) => {
      this.logger.warn({ err: error, priceId: STRIPE_PRICE_ID }, 'the offered price is not known');
      return null;
    });
    // A page is not to wait for Stripe: who opens it next has the price.
    return Promise.race([plan, delay(LONGEST_WAIT_MS, null, { ref: false })]);
  }
}
