import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { ENV, type Env } from '../core/config/env.js';
import { Problem } from '../core/http/problem.js';

/** Users wait for most of these requests, so a failure should be reported soon. */
const TIMEOUT_MS = 8_000;
/**
 * Maximum time to wait for a concurrent request with the same idempotency key (longer than its timeout), and the retry interval.
 */
const KEY_IN_USE_MAX_WAIT_MS = 10_000;
const KEY_IN_USE_RETRY_MS = 300;

/** Stripe's official client. Every error of Stripe becomes one problem, `billing.unavailable`. */
@Injectable()
export class StripeApi {
  private readonly stripe: Stripe | undefined;
  private readonly webhookSecrets: string[];

  constructor(@Inject(ENV) env: Env) {
    this.webhookSecrets = env.STRIPE_WEBHOOK_SECRET ?? [];
    if (env.BILLING !== 'stripe' || !env.STRIPE_SECRET_KEY) return;
    const { protocol, hostname, port } = new URL(env.STRIPE_API_URL);
    this.stripe = new Stripe(env.STRIPE_SECRET_KEY, {
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
          if (!isKeyInUse(error) || Date.now() > untilMs) throw error;
        }
        await delay(KEY_IN_USE_RETRY_MS);
      }
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      throw new Problem(
        'billing.unavailable',
        { detail: 'Stripe is unavailable or returned an error.', action: 'Try again in a minute', retryAfterSeconds: 60 },
        { cause: error },
      );
    }
  }

  /** Verifies the signature over the raw bytes and parses the event. An old signature is rejected. */
  readEvent(bytes: unknown, signature: string | undefined): Stripe.Event {
    const secrets = this.stripe && bytes instanceof Buffer && signature ? this.webhookSecrets : [];
    for (const secret of secrets) {
      try {
        return this.assertOn().webhooks.constructEvent(bytes as Buffer, signature ?? '', secret);
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw unsigned(error);
      }
    }
    throw unsigned();
  }
}

const unsigned = (cause?: unknown): Problem =>
  new Problem('webhook.signature_invalid', 'The signature of the event is not valid for this endpoint, or is too old.', {
    cause,
  });

const isKeyInUse = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === 'idempotency_key_in_use';

const stripeErrorOf = (error: unknown): Stripe.errors.StripeError | null =>
  error instanceof Problem && error.cause instanceof Stripe.errors.StripeError ? error.cause : null;

/** Whether Stripe has no resource with the requested id. */
export const isMissing = (error: unknown): boolean => stripeErrorOf(error)?.code === 'resource_missing';

/** Whether Stripe returned a 5xx. It repeats that response to the same idempotency key for 24 hours. */
export const isServerError = (error: unknown): boolean => (stripeErrorOf(error)?.statusCode ?? 0) >= 500;

/** Whether `StripeApi.call` failed. */
export const isUnavailable = (error: unknown): boolean => stripeErrorOf(error) !== null;
