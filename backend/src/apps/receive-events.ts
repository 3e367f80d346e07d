import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { subscriptionRequired } from '../access/access.service.js';
import { newId } from '../platform/identifiers.js';
import { Notifications } from '../platform/notifications.js';
import { Problem } from '../platform/problem.js';
import { RateLimits } from '../platform/rate-limits.js';
import { type TenantQuery, TenantDoor } from '../platform/tenant.js';
import type { PushAnswer, PushReceiptEntry } from './push-endpoint.dto.js';
import { type KnownEndpoint, PushEndpointQueries } from './push-endpoint.queries.js';
import { isPushKey } from './push-key.js';
import { PUSH_RECEIPTS_KEPT, PUSH_RECEIPTS_SHOWN } from './push-limits.js';
import { errorsOfEvents, type PushedEvent, readEvents } from './read-events.js';

const EXCERPT_CHARACTERS = 2_000;
const MOST_ERRORS = 50;

interface PushCall {
  pushKeyId: string;
  authorization: string | undefined;
  body: unknown;
  response: Response;
}

type Receipt = Pick<PushReceiptEntry, 'outcome' | 'reason' | 'excerpt'>;

/** Takes the events of a sender who holds the key. Whose they are is said by the key alone. */
@Injectable()
export class ReceiveEvents {
  constructor(
    private readonly queries: PushEndpointQueries,
    private readonly tenants: TenantDoor,
    private readonly limits: RateLimits,
    private readonly notifications: Notifications,
  ) {}

  async receive({ pushKeyId, authorization, body, response }: PushCall): Promise<PushAnswer> {
    const endpoint = await this.open(pushKeyId, authorization);
    this.limits.count('push_key', pushKeyId, response);
    if (endpoint.access === 'closed') throw subscriptionRequired();
    const events = await this.read(endpoint, body);
    const answer = await this.store(endpoint, events);
    await this.tell(endpoint);
    return answer;
  }

  /** An unknown id, a wrong key and a revoked one are one answer. */
  private async open(pushKeyId: string, authorization = ''): Promise<KnownEndpoint> {
    const endpoint = await this.queries.findByKeyId(pushKeyId);
    const given = /^Bearer (\S+)$/.exec(authorization)?.[1] ?? '';
    if (!isPushKey(given, endpoint?.keyHash ?? null) || !endpoint)
      throw new Problem('auth.invalid', {
        detail: 'This key does not open this address.',
        action: 'Make a key on the page of the app',
      });
    return endpoint;
  }

  /** What is refused is kept too, for whoever looks why nothing arrives. */
  private async read(endpoint: KnownEndpoint, body: unknown): Promise<PushedEvent[]> {
    try {
      const events = readEvents(body);
      const errors = errorsOfEvents(events, endpoint);
      if (errors.length === 0) return events;
      const wrong = new Map(errors.toReversed().map((error) => [error.index, error.message]));
      const receipts = [...wrong].map(([index, reason]) => receiptOf(events[index], 'refused', reason));
      await this.refuse(endpoint, receipts);
      const shown = errors.slice(0, MOST_ERRORS).map(({ field, message }) => ({ field, message }));
      throw new Problem('push.invalid_event', {
        detail: `${wrong.size} of ${events.length} events are not as they must be, so none was stored: ${shown[0]?.message}`,
        action: 'Mend them and send all again',
        errors: shown,
      });
    } catch (error) {
      if (error instanceof Problem && error.code !== 'push.invalid_event')
        await this.refuse(endpoint, [{ outcome: 'refused', reason: error.problem.detail, excerpt: null }]);
      throw error;
    }
  }

  private async refuse(endpoint: KnownEndpoint, receipts: Receipt[]): Promise<void> {
    const { organizationId, appId } = endpoint;
    await this.tenants.transaction(organizationId, (query) => keepReceipts(query, appId, receipts));
    await this.tell(endpoint);
  }

  private store({ organizationId, appId, dedupeField }: KnownEndpoint, events: PushedEvent[]): Promise<PushAnswer> {
    const rows = events.map((event) => ({ id: newId(), event, dedupeKey: dedupeKeyOf(dedupeField, event) }));
    // In one order, so that two calls with the same events wait for each other and not both at once.
    const sorted = rows.toSorted((one, other) => ((one.dedupeKey ?? '') < (other.dedupeKey ?? '') ? -1 : 1));
    return this.tenants.transaction(organizationId, async (query) => {
      const stored = await query<{ id: string }>(
        `insert into push_events (organization_id, app_id, id, dedupe_key, payload)
         select $1, $2, fresh.id, fresh.dedupe_key, fresh.payload::jsonb
           from unnest($3::uuid[], $4::text[], $5::text[]) as fresh (id, dedupe_key, payload)
         on conflict (organization_id, app_id, dedupe_key) do nothing returning id`,
        [appId, sorted.map(({ id }) => id), sorted.map(({ dedupeKey }) => dedupeKey), sorted.map(({ event }) => event.text)],
      );
      const ids = new Set(stored.map(({ id }) => id));
      const receipts = rows.map(({ id, event }) => receiptOf(event, ids.has(id) ? 'accepted' : 'duplicate', null));
      await keepReceipts(query, appId, receipts);
      return { accepted: ids.size, duplicates: rows.length - ids.size };
    });
  }

  private tell({ organizationId, appId }: KnownEndpoint): Promise<void> {
    return this.notifications.publish({ organizationId, connectionId: null, type: 'push', data: { appId } });
  }
}

const receiptOf = (event: PushedEvent | undefined, outcome: Receipt['outcome'], reason: string | null): Receipt => ({
  outcome,
  reason,
  excerpt: event?.text.slice(0, EXCERPT_CHARACTERS) ?? null,
});

function dedupeKeyOf(field: string | null, { value }: PushedEvent): string | null {
  if (field === null) return null;
  return createHash('sha256')
    .update(JSON.stringify([field, String(value[field])]))
    .digest('hex');
}

/** The last of a call, and of an app the last hundred. */
async function keepReceipts(query: TenantQuery, appId: string, receipts: Receipt[]): Promise<void> {
  const last = receipts.slice(-PUSH_RECEIPTS_SHOWN);
  await query(
    `insert into push_receipts (organization_id, app_id, id, outcome, reason, excerpt)
     select $1, $2, fresh.id, fresh.outcome::push_outcome, fresh.reason, fresh.excerpt
       from unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) as fresh (id, outcome, reason, excerpt)`,
    [
      appId,
      last.map(() => newId()),
      last.map(({ outcome }) => outcome),
      last.map(({ reason }) => reason?.slice(0, EXCERPT_CHARACTERS) ?? null),
      last.map(({ excerpt }) => excerpt),
    ],
  );
  await query(
    `delete from push_receipts
      where organization_id = $1 and app_id = $2
        and id < (select id from push_receipts where organization_id = $1 and app_id = $2 order by id desc offset $3 limit 1)`,
    [appId, PUSH_RECEIPTS_KEPT - 1],
  );
}
