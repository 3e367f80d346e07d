import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { ENV, type Env } from '../core/config/env.js';
import { LOGGER } from '../core/observability/logger.js';
import { Outbox, ReceiverUnavailable, Undeliverable } from '../core/outbox/outbox.js';
import type { EventName } from './events.js';
import { ulidOf } from './ulid.js';

/** A usual response takes 0.1 s. */
const TIMEOUT_MS = 5_000;

/** The message is invalid, so a retry would fail in the same way. */
const INVALID_MESSAGE = 400;
/** Wrong key, closed account or wrong address: the operator has to fix the settings. */
const WRONG_SETTINGS = new Set([401, 403, 404]);
const TOO_MANY = 429;

const REGIONS = { us: 'https://track.customer.io/api/v1', eu: 'https://track-eu.customer.io/api/v1' };

/** Content of a queued message. */
type Content =
  | { type: 'identify'; userId: string; traits: Record<string, string | number | boolean | null> }
  | { type: 'track'; userId: string; event: EventName; properties: Record<string, string | null>; at: string };

/** Delivers events and traits to Customer.io's Track API, which drops duplicates of an event by its id. */
@Injectable()
export class CustomerIo implements OnModuleInit {
  private readonly url: string;
  private readonly authorization: string;

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly outbox: Outbox,
  ) {
    this.url = env.CUSTOMER_IO_URL ?? REGIONS[env.CUSTOMER_IO_REGION];
    const credentials = `${env.CUSTOMER_IO_SITE_ID}:${env.CUSTOMER_IO_API_KEY}`;
    this.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  onModuleInit(): void {
    if (this.env.CUSTOMER_IO_SITE_ID) this.outbox.register('analytics', ({ id, content }) => this.send(id, content as Content));
    else this.logger.info('CUSTOMER_IO_SITE_ID is not set. Product events are not stored');
  }

  private send(id: string, content: Content): Promise<void> {
    const path = `/customers/${encodeURIComponent(content.userId)}`;
    if (content.type === 'identify') return this.call('PUT', path, content.traits);
    const { event, properties, at } = content;
    const data = Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));
    return this.call('POST', `${path}/events`, { name: event, id: ulidOf(id), timestamp: seconds(at), data });
  }

  private async call(method: 'PUT' | 'POST', path: string, body: object): Promise<void> {
    const { status, text } = await this.exchange(method, path, body);
    if (status >= 200 && status < 300) return;
    const message = `Customer.io answered ${status}: ${text.slice(0, 300)}`;
    if (status === INVALID_MESSAGE) throw new Undeliverable(message);
    if (WRONG_SETTINGS.has(status)) throw new ReceiverUnavailable(message, true);
    throw status === TOO_MANY ? new ReceiverUnavailable(message, false) : new Error(message);
  }

  private async exchange(method: string, path: string, body: object): Promise<{ status: number; text: string }> {
    try {
      const answer = await fetch(this.url + path, {
        method,
        headers: { authorization: this.authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        // Following a redirect could send personal data to another host.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { status: answer.status, text: await answer.text() };
    } catch (error) {
      throw new ReceiverUnavailable('Customer.io could not be reached', false, { cause: error });
    }
  }
}

const seconds = (at: string): number => Math.floor(Date.parse(at) / 1_000);
