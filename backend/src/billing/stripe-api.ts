import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import Stripe from 'stripe';
import { ENV, type Env } from '../core/config/env.js';
import { Problem } from '../core/http/problem.js';

/** People wait for most of these calls: better told soon that Stripe does not answer. */
const TIMEOUT_MS = 8_000;
/** As long as another process may take with the same call, its time-out included; and how often its answer is asked for. */
const IN_USE_PATIENCE_MS = 10_000;
const IN_USE_EVERY_MS = 300;

/** The official client. Whatever goes wrong between Stripe and us is told as one problem, and no other call meets it. */
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

  /** Throws `billing.off` where nobody pays. */
  assertOn(): Stripe {
    if (this.stripe) return this.stripe;
    throw new Problem('billing.off', 'This instance bills nobody: every organization is subscribed.');
  }

  /**
   * Throws `billing.unavailable` when Stripe does not do it. While somebody else's call with the same idempotency key is on its
   * way, `work` is done again: then it has the answer of that one.
   */
  async call<Result>(work: (stripe: Stripe) => Promise<Result>): Promise<Result> {
    const client = this.assertOn();
    const untilMs = Date.now() + IN_USE_PATIENCE_MS;
    try {
      for (;;) {
        try {
          return await work(client);
        } catch (error) {
          if (!isKeyInUse(error) || Date.now() > untilMs) throw error;
        }
        await delay(IN_USE_EVERY_MS);
      }
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      throw new Problem(
        'billing.unavailable',
        { detail: 'Stripe does not answer as it should.', action: 'Try again in a minute', retryAfterSeconds: 60 },
        { cause: error },
      );
    }
  }

  /** Reads an event off the very bytes that were signed; one signed long ago is as good as one that is not. */
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
  new Problem('webhook.signature_invalid', 'The event is not signed with the secret of this endpoint, or was so too long ago.', {
    cause,
  });

const isKeyInUse = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeError && error.code === 'idempotency_key_in_use';

const stripeErrorOf = (error: unknown): Stripe.errors.StripeError | null =>
  error instanceof Problem && error.cause instanceof Stripe.errors.StripeError ? error.cause : null;

/** Of a call that found nothing under the id it named. */
export const isMissing = (error: unknown): boolean => stripeErrorOf(error)?.code === 'resource_missing';

/** Of a call that Stripe answered with its own failure. It gives that answer to the same key for 24 hours. */
export const isBrokenOff = (error: unknown): boolean => (stripeErrorOf(error)?.statusCode ?? 0) >= 500;

/** Of a call that `StripeApi.call` gave up. */
export const isUnavailable = (error: unknown): boolean => stripeErrorOf(error) !== null;
