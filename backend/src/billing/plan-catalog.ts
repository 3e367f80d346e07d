import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { ENV, type Env } from '../core/config/env.js';
import { LOGGER } from '../core/observability/logger.js';
import type { Plan } from './billing.dto.js';
import { StripeApi } from './stripe-api.js';
import { planOf } from './subscription-state.js';

/** Prices at Stripe never change, their product's name seldom does. */
const KEPT_MS = 600_000;
const LONGEST_WAIT_MS = 1_500;

/** What is sold: prices of Stripe, kept for a while. A failed look is never kept. */
@Injectable()
export class PlanCatalog {
  private readonly kept = new Map<string, { plan: Promise<Plan>; untilMs: number }>();

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly stripe: StripeApi,
  ) {}

  /** Null while Stripe does not say: no page and nothing that is paid for is to wait for a name. Who asks next has it. */
  find(priceId: string): Promise<Plan | null> {
    const plan = this.get(priceId).catch((error: unknown) => {
      this.logger.warn({ err: error, priceId }, 'a price is not known');
      return null;
    });
    return Promise.race([plan, delay(LONGEST_WAIT_MS, null, { ref: false })]);
  }

  /** What a checkout would sell; null where nobody pays and while Stripe does not say. */
  async findOffered(): Promise<Plan | null> {
    const { BILLING, STRIPE_PRICE_ID } = this.env;
    return BILLING === 'none' || !STRIPE_PRICE_ID ? null : this.find(STRIPE_PRICE_ID);
  }

  private get(priceId: string): Promise<Plan> {
    const kept = this.kept.get(priceId);
    if (kept && kept.untilMs > Date.now()) return kept.plan;
    const plan = this.stripe.call((stripe) => stripe.prices.retrieve(priceId, { expand: ['product'] })).then(planOf);
    const entry = { plan, untilMs: Date.now() + KEPT_MS };
    this.kept.set(priceId, entry);
    plan.catch(() => this.kept.delete(priceId));
    return plan;
  }
}
