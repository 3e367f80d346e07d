import { createHmac } from 'node:crypto';
import type { Fault } from '../faults.ts';
import { newId } from './ids.ts';
import { wants } from './events.ts';
import type { StripeEvent, WebhookEndpoint } from './objects.ts';
import type { Delivery, StripeState } from './state.ts';

const timeoutMs = 10_000;
/** Stripe's retry period. */
const giveUpMs = 3 * 86_400_000;

/** `t=…,v1=…`: the HMAC of the send time and the exact body. */
export function signatureHeader(payload: string, secret: string, sentAt: number): string {
  return `t=${sentAt},v1=${createHmac('sha256', secret).update(`${sentAt}.${payload}`).digest('hex')}`;
}

/** Sends events to the subscribed endpoints: in any order, at least once, with retries until one succeeds. */
export class Deliveries {
  readonly #state: StripeState;
  readonly #timers = new Set<NodeJS.Timeout>();
  #shuffled: Delivery[] = [];
  #isClosed = false;

  constructor(state: StripeState) {
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
    const occasion = { endpoint: 'api', event: event.type, ...(typeof customerId === 'string' && { customerId }) };
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
      const outcome = await post(endpoint.url, event, secret);
      delivery.attempts.push({ at, ...outcome });
      const isTaken = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
      if (isTaken) delivery.state = 'delivered';
      else this.#retry(delivery);
    }
    this.#state.changed();
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
async function post(url: string, event: StripeEvent, secret: string): Promise<{ status: number | null; error?: string }> {
  const payload = JSON.stringify(event, null, 2);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signatureHeader(payload, secret, Math.floor(Date.now() / 1_000)),
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
