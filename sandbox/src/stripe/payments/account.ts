import type { Clock } from '../../clock.ts';
import type { Faults } from '../../faults.ts';
import { mix } from '../../noise.ts';
import { change, wants } from '../events.ts';
import { apiVersion, type StripeEvent, type WebhookEndpoint } from '../objects.ts';
import type { Settings } from '../settings.ts';
import type { Delivery, SavedAnswer } from '../state.ts';
import type * as objects from './objects.ts';
import { Table, type Row } from './table.ts';

export interface AccountIdentity {
  id: string;
  name: string;
  country: string;
  /** The currency in which the account is paid out, and of payments that name no other. */
  currency: string;
  isLive: boolean;
}

/** Resources that all accounts share. */
export interface AccountParts {
  clock: Clock;
  faults: Faults;
  settings: Pick<Settings, 'webhookRetryDelaysMs'>;
}

/** The Stripe account of a customer of Tributary, with its payments. The account that bills Tributary is `StripeState`. */
export class PaymentAccount {
  readonly identity: AccountIdentity;
  readonly balanceTransactions = new Table<objects.BalanceTransaction>();
  readonly charges = new Table<objects.Charge>();
  readonly paymentIntents = new Table<objects.PaymentIntent>();
  readonly refunds = new Table<objects.Refund>();
  readonly disputes = new Table<objects.Dispute>();
  readonly customers = new Table<objects.Customer>();
  readonly products = new Table<objects.Product>();
  readonly prices = new Table<objects.Price>();
  readonly coupons = new Table<objects.Coupon>();
  readonly discounts = new Map<string, objects.Discount>();
  readonly subscriptions = new Table<objects.Subscription>();
  readonly invoices = new Table<objects.Invoice>();
  readonly invoicePayments = new Table<objects.InvoicePayment>();
  readonly payouts = new Table<objects.Payout>();
  readonly events = new Table<StripeEvent>();
  readonly endpoints = new Map<string, WebhookEndpoint>();
  readonly secrets = new Map<string, string>();
  readonly deliveries = new Map<string, Delivery>();
  readonly answers = new Map<string, SavedAnswer>();
  /** Exchange rates of charges in another currency, by charge. Their refunds and disputes use the same rate. */
  readonly rates = new Map<string, number>();
  /** Further currencies in which payments are settled without a conversion. */
  readonly settlementCurrencies = new Set<string>();
  /** Ids by the names that steps give to their objects. */
  readonly refs = new Map<string, string>();
  readonly faults: Faults;
  readonly settings: AccountParts['settings'];
  /** The current call, which events name as their cause. */
  currentRequest: StripeEvent['request'] = { id: null, idempotency_key: null };
  /** Called for every event; set by the webhook delivery. */
  onEvent: (event: StripeEvent) => void = () => {};
  readonly #clock: Clock;
  readonly #seed: number;
  #created = 0;

  constructor(identity: AccountIdentity, { clock, faults, settings }: AccountParts) {
    this.identity = identity;
    this.faults = faults;
    this.settings = settings;
    this.#clock = clock;
    this.#seed = seedOf(identity.id);
  }

  get accountId(): string {
    return this.identity.id;
  }

  /** Unix seconds of the sandbox's clock. */
  now(): number {
    return Math.floor(this.#clock.now().getTime() / 1_000);
  }

  /** The same ids for the same history, so that a history can be repeated. */
  newId(prefix: string): string {
    this.#created += 1;
    const part = (salt: number): string =>
      mix(this.#seed + salt, this.#created)
        .toString(36)
        .padStart(7, '0');
    return `${prefix}${part(1)}${part(2)}${part(3)}`;
  }

  /** Records an event at a moment and delivers it. The object is stored in its current state. */
  emit(type: string, object: Row, at: number, previous?: Record<string, unknown>): StripeEvent {
    // Nested values are replaced and never changed in place, so a shallow copy keeps the current state.
    const snapshot: Record<string, unknown> = { ...object };
    const event = this.events.add({
      id: this.newId('evt_'),
      object: 'event',
      api_version: apiVersion,
      created: at,
      data: { object: snapshot, ...(previous && { previous_attributes: previous }) },
      livemode: this.identity.isLive,
      pending_webhooks: [...this.endpoints.values()].filter((endpoint) => wants(endpoint.enabled_events, type)).length,
      request: { ...this.currentRequest },
      type,
    });
    this.onEvent(event);
    return event;
  }

  /** Changes an object and sends an event with the previous values, unless nothing changed. */
  update<T extends Row>(type: string, object: T, changes: Partial<T>, at: number): void {
    const previous = change(object, changes);
    if (previous) this.emit(type, object, at, previous);
  }

  /** Deliveries end here. The events and objects are kept by their steps. */
  changed(): void {}
}

/** A number from a text. */
export function seedOf(text: string): number {
  return [...text].reduce((seed, character) => mix(seed, character.charCodeAt(0)), 7);
}
