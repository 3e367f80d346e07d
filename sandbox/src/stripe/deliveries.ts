import { createHmac } from 'node:crypto';
import type { Fault, Faults } from '../faults.ts';
import { newId } from './ids.ts';
import { wants } from './events.ts';
import type { StripeEvent, WebhookEndpoint } from './objects.ts';
import type { Settings } from './settings.ts';
import type { Delivery } from './state.ts';

/** An account with its endpoints and events. */
export interface DeliveringAccount {
  readonly faults: Faults;
  readonly endpoints: Map<string, WebhookEndpoint>;
  readonly secrets: Map<string, string>;
  readonly events: { get(id: string): StripeEvent | undefined };
  readonly deliveries: Map<string, Delivery>;
  readonly settings: Pick<Settings, 'webhookRetryDelaysMs'>;
  /** For faults that affect one account of several. */
  readonly accountId?: string;
  onEvent: (event: StripeEvent) => void;
  changed(): void;
}

const timeoutMs = 10_000;
/** Of no endpoint. While a secret is replaced, Stripe signs with the old and the new one. */
const otherSecret = 'whsec_other';
/** Stripe's retry period. */
const giveUpMs = 3 * 86_400_000;

/** `t=…,v1=…`: the HMAC of the send time and the exact body, with one `v1` for each secret. */
export function signatureHeader(payload: string, secrets: string[], sentAt: number): string {
  const sign = (secret: string): string => createHmac('sha256', secret).update(`${sentAt}.${payload}`).digest('hex');
  return [`t=${sentAt}`, ...secrets.map((secret) => `v1=${sign(secret)}`)].join(',');
}

/** Sends events to the subscribed endpoints: in any order, at least once, with retries until one succeeds. */
export class Deliveries {
  readonly #state: DeliveringAccount;
  readonly #timers = new Set<NodeJS.Timeout>();
  #shuffled: Delivery[] = [];
  #isClosed = false;

  constructor(state: DeliveringAccount) {
    this.#state = state;
    state.onEvent = (event) => this.#deliverToAll(event);
    for (const delivery of state.deliveries.values()) if (delivery.state === 'pending') this.#send(delivery, 0);
  }

  /** Resends an event to every subscribed endpoint, whatever its earlier outcome, without faults. */
  redeliver(event: StripeEvent): Delivery[] {
    return this.#endpointsFor(event.type).map((endpoint) => {
      const delivery = this.#record(event, endpoint);
      this.#send(delivery, 0);
      return delivery;
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #endpointsFor(type: string): WebhookEndpoint[] {
    const endpoints = [...this.#state.endpoints.values()];
    return endpoints.filter(({ status, enabled_events }) => status === 'enabled' && wants(enabled_events, type));
  }

  #deliverToAll(event: StripeEvent): void {
    for (const endpoint of this.#endpointsFor(event.type)) {
      const delivery = this.#record(event, endpoint);
      const strike = (name: string): Fault | undefined => this.#strike(name, event);
      if (strike('webhooks_dropped')) delivery.state = 'dropped';
      else {
        const late = strike('webhooks_late');
        const waitMs = late ? numberOf(late, 'delayMs', 5_000) : 0;
        const shuffled = strike('webhooks_shuffled');
        if (shuffled) this.#hold(delivery, numberOf(shuffled, 'windowMs', 500));
        else this.#send(delivery, waitMs);
        if (strike('webhooks_twice')) this.#send(this.#record(event, endpoint), waitMs);
      }
    }
  }

  #strike(name: string, event: StripeEvent): Fault | undefined {
    const { object } = event.data;
    const customerId = object.object === 'customer' ? object.id : object.customer;
    const { accountId } = this.#state;
    const occasion = {
      ...{ endpoint: 'api', event: event.type },
      ...(typeof customerId === 'string' && { customerId }),
      ...(accountId !== undefined && { accountId }),
    };
    return this.#state.faults.strike('stripe', name, occasion);
  }

  #record(event: StripeEvent, endpoint: WebhookEndpoint): Delivery {
    const link = { eventId: event.id, eventType: event.type, endpointId: endpoint.id };
    const delivery: Delivery = { id: newId('del_'), ...link, state: 'pending', attempts: [] };
    this.#state.deliveries.set(delivery.id, delivery);
    return delivery;
  }

  /** Events of the same window are sent one after the other, the newest first. */
  #hold(delivery: Delivery, windowMs: number): void {
    this.#shuffled.push(delivery);
    if (this.#shuffled.length > 1) return;
    this.#later(windowMs, async () => {
      const held = this.#shuffled.reverse();
      this.#shuffled = [];
      for (const each of held) await this.#attempt(each);
    });
  }

  #send(delivery: Delivery, waitMs: number): void {
    this.#later(waitMs, () => this.#attempt(delivery));
  }

  #later(waitMs: number, happen: () => Promise<void>): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      happen().catch((error: unknown) => console.error(error));
    }, waitMs);
    this.#timers.add(timer);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const endpoint = this.#state.endpoints.get(delivery.endpointId);
    const event = this.#state.events.get(delivery.eventId);
    const secret = this.#state.secrets.get(delivery.endpointId);
    if (!endpoint || !event || secret === undefined) delivery.state = 'failed';
    else {
      const at = new Date().toISOString();
      const outcome = await post(endpoint.url, event, (payload) => this.#sign(event, payload, secret));
      delivery.attempts.push({ at, ...outcome });
      const isTaken = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
      if (isTaken) delivery.state = 'delivered';
      else this.#retry(delivery);
    }
    this.#state.changed();
  }

  #sign(event: StripeEvent, payload: string, secret: string): string {
    const sentAt = Math.floor(Date.now() / 1_000);
    const old = this.#strike('webhooks_old_signature', event);
    if (old) return signatureHeader(payload, [secret], sentAt - numberOf(old, 'ageSeconds', 3_600));
    if (this.#strike('webhooks_wrong_signature', event)) return signatureHeader(payload, [otherSecret], sentAt);
    if (this.#strike('webhooks_two_signatures', event)) return signatureHeader(payload, [otherSecret, secret], sentAt);
    return signatureHeader(payload, [secret], sentAt);
  }

  #retry(delivery: Delivery): void {
    const { webhookRetryDelaysMs: delays } = this.#state.settings;
    const waitMs = delays[delivery.attempts.length - 1] ?? delays.at(-1);
    const firstAt = Date.parse(delivery.attempts[0]?.at ?? '');
    if (waitMs === undefined || Date.now() - firstAt > giveUpMs) delivery.state = 'failed';
    else this.#send(delivery, waitMs);
  }
}

/** Stripe indents its webhooks, so verifying the signature over reserialized JSON fails. */
async function post(
  url: string,
  event: StripeEvent,
  sign: (payload: string) => string,
): Promise<{ status: number | null; error?: string }> {
  const payload = JSON.stringify(event, null, 2);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': sign(payload),
      },
      body: payload,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await answer.body?.cancel();
    return { status: answer.status };
  } catch (error) {
    return { status: null, error: error instanceof Error ? String(error.cause ?? error) : String(error) };
  }
}

function numberOf(fault: Fault, name: string, otherwise: number): number {
  const value = fault.parameters[name];
  return typeof value === 'number' ? value : otherwise;
}
