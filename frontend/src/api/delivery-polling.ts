import type { WebhookDelivery } from './types';

/** The first attempt follows within seconds, a further one within minutes to hours. */
const FIRST_ATTEMPT_MS = 2_000;
const FURTHER_ATTEMPT_MS = 15_000;

type Polled = Pick<WebhookDelivery, 'state' | 'lastError'>;

/** How often deliveries are read again, so that a screen shows the result or the error of an attempt; 0: none waits. */
export function deliveryPollMs(deliveries: readonly Polled[]): number {
  const waiting = deliveries.filter(({ state }) => state === 'queued');
  if (waiting.length === 0) return 0;
  return waiting.some(({ lastError }) => lastError === null) ? FIRST_ATTEMPT_MS : FURTHER_ATTEMPT_MS;
}
