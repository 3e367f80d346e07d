import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PlatformEvent } from '../kit/connector.js';
import { eventSchema } from './objects.js';

/** Stripe's own tolerance. https://docs.stripe.com/webhooks/signature */
const TOLERANCE_SECONDS = 300;
/** Stripe signs with at most two secrets while one is being replaced. */
const MOST_SIGNATURES = 8;

/**
 * Verifies `Stripe-Signature` over the raw bytes. Null: not signed with this secret, too old, or no event. Without a secret it takes
 * the same time, so the answer does not show whether there is one.
 */
export function readSignedEvent(body: Buffer, header: string, secret: string | null, now: Date): PlatformEvent | null {
  const { at, signatures } = readHeader(header);
  const expected = createHmac('sha256', secret ?? 'none')
    .update(`${at}.`)
    .update(body)
    .digest();
  const isSigned = signatures.map((given) => given.length === expected.length && timingSafeEqual(given, expected)).includes(true);
  const isRecent = Math.abs(now.getTime() / 1_000 - at) <= TOLERANCE_SECONDS;
  return isSigned && isRecent && secret !== null ? parse(body) : null;
}

function readHeader(header: string): { at: number; signatures: Buffer[] } {
  const parts = header.split(',').map((part) => part.trim().split('='));
  const at = Number(parts.find(([name]) => name === 't')?.[1]);
  const signatures = parts.filter(([name]) => name === 'v1').slice(0, MOST_SIGNATURES);
  return { at: Number.isSafeInteger(at) ? at : 0, signatures: signatures.map(([, value = '']) => Buffer.from(value, 'hex')) };
}

function parse(body: Buffer): PlatformEvent | null {
  try {
    return eventSchema.safeParse(JSON.parse(body.toString('utf8'))).data ?? null;
  } catch {
    return null;
  }
}
