import { plural } from '../../connectors/kit/plural.js';
import type { Failure } from '../../core/http/failure.dto.js';

/** One action: without a secret no call is accepted, so the endpoint is set up first. */
export const webhookMissing = ({ hasSecret, missingEvents }: { hasSecret: boolean; missingEvents: number }): Failure => ({
  class: 'config',
  code: 'stripe.webhook_missing',
  message: `No webhook delivered ${plural(missingEvents, 'event')} of Stripe. They were found in Stripe's list and are loaded.`,
  action: hasSecret
    ? 'In Stripe, check that the webhook endpoint is on and has this address'
    : 'Create the webhook endpoint in Stripe and enter its signing secret',
  providerRequestId: null,
});
