import { setTimeout as delay } from 'node:timers/promises';
import { type FactoryProvider, Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type Stripe from 'stripe';
import { ENV, type Env } from '../core/config/env.js';
import { Problem } from '../core/http/problem.js';
import { LOGGER } from '../core/observability/logger.js';

/** Users wait for most of these requests, so a failure should be reported soon. */
const TIMEOUT_MS = 8_000;
/**
 * Maximum time to wait for a concurrent request with the same idempotency key (longer than its timeout), and the retry interval.
 */
const KEY_IN_USE_MAX_WAIT_MS = 10_000;
const KEY_IN_USE_RETRY_MS = 300;
/** A conflict with another request, and too many requests. The same request succeeds later. */
const PASSING = [409, 429];

/** Stripe's official library; null when billing is disabled, to save memory. */
export const STRIPE_LIBRARY = Symbol('Stripe library');

export const stripeLibrary: FactoryProvider<typeof Stripe | null> = {
  provide: STRIPE_LIBRARY,
  inject: [ENV],
  useFactory: async (env: Env) => (env.BILLING === 'stripe' ? (await import('stripe')).default : null),
};

/** Stripe's official client. Every error of Stripe becomes one problem, `billing.unavailable`. */
@Injectable()
export class StripeApi {
  private readonly stripe: Stripe | undefined;
  private readonly webhookSecrets: string[];

  constructor(
    @Inject(ENV) env: Env,
    @Inject(STRIPE_LIBRARY) private readonly library: typeof Stripe | null,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.webhookSecrets = env.STRIPE_WEBHOOK_SECRET ?? [];
    if (!library || !env.STRIPE_SECRET_KEY) return;
    const { protocol, hostname, port } = new URL(env.STRIPE_API_URL);
    this.stripe = new library(env.STRIPE_SECRET_KEY, {
      host: hostname,
      port: port || (protocol === 'https:' ? 443 : 80),
      protocol: protocol === 'https:' ? 'https' : 'http',
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 1,
      telemetry: false,
    });
  }

  /** Throws `billing.off` when billing is disabled. */
  assertOn(): Stripe {
    if (this.stripe) return this.stripe;
    throw new Problem('billing.off', 'Billing is disabled on this instance. Every organization has full access.');
  }

  /**
   * Throws `billing.unavailable` when the request fails. While another request with the same idempotency key is in progress,
   * `work` is retried until it gets the response of that request.
   */
  async call<Result>(work: (stripe: Stripe) => Promise<Result>): Promise<Result> {
    const client = this.assertOn();
    const untilMs = Date.now() + KEY_IN_USE_MAX_WAIT_MS;
    try {
      for (;;) {
        try {
          return await work(client);
        } catch (error) {
          if (!this.isKeyInUse(error) || Date.now() > untilMs) throw error;
        }
        await delay(KEY_IN_USE_RETRY_MS);
      }
    } catch (error) {
      if (!this.isStripeError(error)) throw error;
      this.log(error);
      throw new StripeFailure(error);
    }
  }

  /** The response names no cause. Texts of Stripe may contain what a user entered, so they are not logged. */
  private log({ type, code, param, statusCode: status = 0, requestId }: Stripe.errors.StripeError): void {
    const isPermanent = status >= 400 && status < 500 && !PASSING.includes(status) && code !== 'resource_missing';
    const entry = { stripe: { type, code, param, status, requestId } };
    this.logger[isPermanent ? 'error' : 'warn'](entry, 'a request to Stripe failed');
  }

  /** Verifies the signature over the raw bytes and parses the event. An old signature is rejected. */
  readEvent(bytes: unknown, signature: string | undefined): Stripe.Event {
    const secrets = this.stripe && bytes instanceof Buffer && signature ? this.webhookSecrets : [];
    for (const secret of secrets) {
      try {
        return this.assertOn().webhooks.constructEvent(bytes as Buffer, signature ?? '', secret);
      } catch (error) {
        if (!this.isStripeError(error) || error.type !== 'StripeSignatureVerificationError') throw unsigned(error);
      }
    }
    throw unsigned();
  }

  private isStripeError(error: unknown): error is Stripe.errors.StripeError {
    return this.library !== null && error instanceof this.library.errors.StripeError;
  }

  private isKeyInUse(error: unknown): boolean {
    return this.isStripeError(error) && error.code === 'idempotency_key_in_use';
  }
}

class StripeFailure extends Problem {
  readonly stripeCode: string | undefined;
  readonly stripeStatus: number;

  constructor(cause: Stripe.errors.StripeError) {
    const detail = 'Stripe is unavailable or returned an error.';
    super('billing.unavailable', { detail, action: 'Try again in a minute', retryAfterSeconds: 60 }, { cause });
    this.stripeCode = cause.code;
    this.stripeStatus = cause.statusCode ?? 0;
  }
}

const unsigned = (cause?: unknown): Problem =>
  new Problem('webhook.signature_invalid', 'The signature of the event is not valid for this endpoint, or is too old.', {
    cause,
  });

/** Whether Stripe has no resource with the requested id. */
export const isMissing = (error: unknown): boolean => error instanceof StripeFailure && error.stripeCode === 'resource_missing';

/** Whether Stripe returned a 5xx. It repeats that response to the same idempotency key for 24 hours. */
export const isServerError = (error: unknown): boolean => error instanceof StripeFailure && error.stripeStatus >= 500;

/** Whether `StripeApi.call` failed. */
export const isUnavailable = (error: unknown): boolean => error instanceof StripeFailure;
