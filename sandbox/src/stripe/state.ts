import type { Faults } from '../faults.ts';
import type {
  CheckoutSession,
  Customer,
  Invoice,
  PaymentMethod,
  PortalSession,
  Price,
  Product,
  StripeEvent,
  Subscription,
  WebhookEndpoint,
} from './objects.ts';
import { defaultSettings, type Settings } from './settings.ts';
import { Storage } from './storage.ts';

/** Data of a subscription that the sandbox needs and Stripe does not return. */
export interface SubscriptionNotes {
  isTrialEndAnnounced: boolean;
  firstFailedAt: number | null;
}

export interface Delivery {
  id: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  state: 'pending' | 'delivered' | 'failed' | 'dropped';
  attempts: { at: string; status: number | null; error?: string }[];
}

export interface SavedAnswer {
  fingerprint: string;
  /** Unix seconds of Stripe's time. */
  savedAt: number;
  status: number;
  body: unknown;
  requestId: string;
}

/** Data of a checkout session that its object returns only on request. */
export interface Order {
  priceId: string;
  quantity: number;
  trialDays: number | null;
  missingPaymentMethod: string;
  metadata: Record<string, string>;
}

const daySeconds = 86_400;

/** All data of the simulated Stripe, in order of creation. */
export class StripeState {
  readonly faults: Faults;
  readonly customers = new Map<string, Customer>();
  /** Real time in milliseconds from which a new customer can be found by search. Missing customers always can. */
  readonly searchableAtMs = new Map<string, number>();
  readonly deletedCustomers = new Set<string>();
  readonly products = new Map<string, Product>();
  readonly prices = new Map<string, Price>();
  readonly paymentMethods = new Map<string, PaymentMethod>();
  readonly sessions = new Map<string, CheckoutSession>();
  readonly orders = new Map<string, Order>();
  readonly subscriptions = new Map<string, Subscription>();
  readonly notes = new Map<string, SubscriptionNotes>();
  readonly invoices = new Map<string, Invoice>();
  readonly portalSessions = new Map<string, PortalSession>();
  readonly endpoints = new Map<string, WebhookEndpoint>();
  readonly secrets = new Map<string, string>();
  readonly events = new Map<string, StripeEvent>();
  readonly deliveries = new Map<string, Delivery>();
  readonly answers = new Map<string, SavedAnswer>();
  /** Seconds by which a customer's time is ahead of the global time. */
  readonly customerOffsets = new Map<string, number>();
  offsetSeconds = 0;
  settings: Settings = { ...defaultSettings };
  /** The current call, which events name as their cause. */
  currentRequest: StripeEvent['request'] = { id: null, idempotency_key: null };
  /** Called for every event; set by the webhook delivery. */
  onEvent: (event: StripeEvent) => void = () => {};
  readonly #storage: Storage;

  constructor(faults: Faults, dataDir: string | undefined) {
    this.faults = faults;
    this.#storage = new Storage(dataDir, () => this.#toSaved());
    const saved = this.#storage.read();
    for (const [name, kept] of Object.entries(this.#kept())) {
      const entries = (saved?.[name] ?? []) as [string, never][];
      for (const [id, value] of entries) kept.set(id, value);
    }
    for (const id of (saved?.deletedCustomers ?? []) as string[]) this.deletedCustomers.add(id);
    this.offsetSeconds = Number(saved?.offsetSeconds ?? 0);
    this.settings = { ...defaultSettings, ...(saved?.settings as Partial<Settings> | undefined) };
  }

  /** Unix seconds of Stripe's time. A customer's own may be ahead of it. */
  now(customerId?: string | null): number {
    const ahead = customerId ? (this.customerOffsets.get(customerId) ?? 0) : 0;
    return Math.floor(Date.now() / 1_000) + this.offsetSeconds + ahead;
  }

  advance(days: number, customerId?: string): void {
    const seconds = Math.round(days * daySeconds);
    if (customerId) this.customerOffsets.set(customerId, (this.customerOffsets.get(customerId) ?? 0) + seconds);
    else this.offsetSeconds += seconds;
  }

  notesOf(subscriptionId: string): SubscriptionNotes {
    const notes = this.notes.get(subscriptionId) ?? { isTrialEndAnnounced: false, firstFailedAt: null };
    this.notes.set(subscriptionId, notes);
    return notes;
  }

  changed(): void {
    this.#storage.saveSoon();
  }

  close(): void {
    this.#storage.saveNow();
  }

  #kept(): Record<string, Map<string, unknown>> {
    const { customers, products, prices, paymentMethods, sessions, orders, subscriptions, notes, invoices } = this;
    const { portalSessions, endpoints, secrets, events, deliveries, answers, customerOffsets } = this;
    return {
      ...{ customers, products, prices, paymentMethods, sessions, orders, subscriptions, notes, invoices },
      ...{ portalSessions, endpoints, secrets, events, deliveries, answers, customerOffsets },
    };
  }

  #toSaved(): Record<string, unknown> {
    const kept = Object.fromEntries(Object.entries(this.#kept()).map(([name, map]) => [name, [...map]]));
    const { offsetSeconds, settings } = this;
    return { ...kept, deletedCustomers: [...this.deletedCustomers], offsetSeconds, settings };
  }
}
