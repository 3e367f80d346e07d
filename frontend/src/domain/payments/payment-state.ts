import type { Health } from '~/domain/connections/connection-state';
import { sentence } from '~/lib/sentence';

export type PaymentHealth = Health | 'webhook_missing';

interface WebhookFacts {
  secretState: 'missing' | 'entered';
  secretEnteredAt: string | null;
  lastDeliveryAt: string | null;
  missingSince: string | null;
  missingEvents: number;
}

export interface PaymentFacts {
  desired: 'active' | 'paused';
  health: PaymentHealth;
  failure: { class: string; code: string } | null;
  webhook: WebhookFacts;
  destinations: { health: PaymentHealth; activeRunId: string | null; pause: object | null }[];
}

/** A paused payment is shown as paused, whatever its last run was. */
export const paymentHealthOf = ({ desired, health }: Pick<PaymentFacts, 'desired' | 'health'>): PaymentHealth =>
  desired === 'paused' ? 'paused' : health;

/** An active payment that loads nothing into a destination, because its runs kept failing. */
export const isPausedAutomatically = ({ desired, health, destinations }: Omit<PaymentFacts, 'failure' | 'webhook'>): boolean =>
  desired === 'active' && health === 'paused' && destinations.some(({ pause }) => pause !== null);

/** What the user does next about a problem. Each problem has one. */
export type NextAction = 'enter_key' | 'check_webhook' | 'check_destination' | 'check_settings' | 'resume' | 'run_again';

export function nextActionOf({ health, failure }: Pick<PaymentFacts, 'health' | 'failure'>): NextAction {
  if (health === 'webhook_missing') return 'check_webhook';
  if (health === 'paused') return 'resume';
  if (health === 'needs_reauth' || failure?.class === 'auth' || failure?.class === 'permission')
    return failure?.code.startsWith('stripe.') || failure === null ? 'enter_key' : 'check_destination';
  if (failure?.class === 'destination') return 'check_destination';
  return failure?.class === 'config' || failure?.class === 'schema' ? 'check_settings' : 'run_again';
}

interface LoadedDestination {
  name: string;
  health: PaymentHealth;
  healthReason: string;
  completeThrough: string | null;
  activeRunId: string | null;
}

/** Why a sample has no events: they are sampled up to where every destination is verified. */
export function whyNothingSampled({ destinations }: { destinations: LoadedDestination[] }): string {
  const stopped = destinations.find(
    ({ health, completeThrough, activeRunId }) => completeThrough === null && activeRunId === null && health !== 'healthy',
  );
  if (stopped) return `Not every destination has a verified day yet. ${stopped.name}: ${sentence(stopped.healthReason)}`;
  return destinations.some(({ activeRunId }) => activeRunId !== null)
    ? 'Nothing is loaded yet. The first run is in progress.'
    : 'Not every destination has a verified day yet.';
}

/** Why a run cannot start, as the text next to the button; null when it can. */
export function whyNotRunPayment({ desired, health, destinations }: PaymentFacts): string | null {
  const isPaused = destinations.length > 0 && destinations.every(({ pause }) => pause !== null);
  if (desired === 'paused' || isPaused) return 'Paused. Resume it first';
  if (health === 'needs_reauth') return 'Enter a valid key first';
  const loaded = destinations.filter(({ pause }) => pause === null);
  return loaded.every(({ activeRunId }) => activeRunId !== null) ? 'A run is in progress' : null;
}

export type WebhookState = 'no_secret' | 'no_delivery' | 'missing' | 'works';

/** Whether signed calls arrive: the check of the signing secret. */
export function webhookStateOf(webhook: WebhookFacts): WebhookState {
  const { secretState, secretEnteredAt, lastDeliveryAt, missingSince } = webhook;
  if (secretState === 'missing') return 'no_secret';
  if (missingSince !== null && (lastDeliveryAt === null || lastDeliveryAt < missingSince)) return 'missing';
  const isDelivered = lastDeliveryAt !== null && (secretEnteredAt === null || lastDeliveryAt >= secretEnteredAt);
  return isDelivered ? 'works' : 'no_delivery';
}

const METADATA = 'metadata:';

export type CustomerIdKind = 'stripe_id' | 'email' | 'metadata';

export const customerIdKindOf = (type: string): CustomerIdKind =>
  type.startsWith(METADATA) ? 'metadata' : type === 'email' ? 'email' : 'stripe_id';

export const metadataKeyOf = (type: string): string => (type.startsWith(METADATA) ? type.slice(METADATA.length) : '');

export const customerIdType = (kind: CustomerIdKind, key: string): string => (kind === 'metadata' ? `${METADATA}${key}` : kind);

/** `Stripe ID`, `Email`, `Metadata: crm_id` */
export function customerIdText(type: string): string {
  const kind = customerIdKindOf(type);
  if (kind === 'metadata') return `Metadata: ${metadataKeyOf(type)}`;
  return kind === 'email' ? 'Email' : 'Stripe ID';
}

/** Stripe's limit of a metadata key is 40 characters, without brackets. */
export const customerIdError = (type: string): string | null =>
  customerIdKindOf(type) === 'metadata' && !/^[^\s[\]]{1,40}$/.test(metadataKeyOf(type))
    ? 'Enter a key of at most 40 characters, without spaces and brackets'
    : null;
