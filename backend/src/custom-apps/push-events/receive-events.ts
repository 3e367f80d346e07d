import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { subscriptionRequired } from '../../access/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { Secrets } from '../../core/encryption/secrets.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { maskPersonalData } from '../../core/http/mask-personal-data.js';
import { newId } from '../../core/database/identifiers.js';
import { Notifications } from '../../core/database/notifications.js';
import { Problem } from '../../core/http/problem.js';
import { RateLimits } from '../../core/http/rate-limits.js';
import { type TenantQuery, TenantDatabase } from '../../core/database/tenant-database.js';
import { CompiledSchemas } from './compiled-schemas.js';
import { insertEvents, placeOf } from './pushed-events.js';
import type { PushAnswer, PushReceiptEntry } from './push-endpoint.dto.js';
import { eventsHeldSql, eventsStoredSql, type KnownEndpoint, PushEndpointQueries } from './push-endpoint.queries.js';
import { isPushKey } from './push-key.js';
import { PUSH_RECEIPTS_KEPT, PUSH_RECEIPTS_SHOWN } from './push-limits.js';
import { errorsOfEvents, type PushedEvent, readEvents } from './read-events.js';

// SQL: advisory lock, and counts under it; many receipts in one statement (unnest).

const EXCERPT_CHARACTERS = 2_000;
const EVENTS_PER_TURN = 100;
/** How long a push waits for earlier ones of its organization, and then for a lock while it holds a connection of the pool. */
const TURN_WAIT_MS = 10_000;
const LOCK_WAIT = '2s';

interface PushCall {
  pushKeyId: string;
  authorization: string | undefined;
  /** Called only after the key was verified. */
  readBody: () => Promise<Uint8Array>;
  response: Response;
}

interface EncryptedEvent {
  id: string;
  event: PushedEvent;
  sealed: string;
  dedupeKey: string | null;
}

type Receipt = Pick<PushReceiptEntry, 'outcome' | 'reason' | 'excerpt'>;

/** Receives events from a sender with a valid key. Only the key determines the organization. */
@Injectable()
export class ReceiveEvents {
  /** The last push of each organization. */
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(
    private readonly queries: PushEndpointQueries,
    private readonly tenants: TenantDatabase,
    private readonly limits: RateLimits,
    private readonly notifications: Notifications,
    private readonly schemas: CompiledSchemas,
    private readonly secrets: Secrets,
    private readonly domainEvents: DomainEvents,
    @Inject(ENV) private readonly env: Env,
  ) {}

  async receive({ pushKeyId, authorization, readBody, response }: PushCall): Promise<PushAnswer> {
    const endpoint = await this.open(pushKeyId, authorization);
    this.limits.count('push_key', pushKeyId, response);
    if (endpoint.access === 'closed') throw subscriptionRequired();
    const events = await this.read(endpoint, readBody);
    const answer = await this.store(endpoint, events);
    await this.notify(endpoint);
    return answer;
  }

  /** An unknown id, a wrong key and a revoked key get the same error. */
  private async open(pushKeyId: string, authorization = ''): Promise<KnownEndpoint> {
    const endpoint = await this.queries.findByKeyId(pushKeyId);
    const given = /^Bearer (\S+)$/.exec(authorization)?.[1] ?? '';
    if (!isPushKey(given, endpoint?.keyHash ?? null) || !endpoint)
      throw new Problem('auth.invalid', {
        detail: 'This key is not valid for this address.',
        action: 'Create a key on the page of the app',
      });
    return endpoint;
  }

  /** Rejected events are stored too, so that users can see why they did not arrive. */
  private async read(endpoint: KnownEndpoint, readBody: () => Promise<Uint8Array>): Promise<PushedEvent[]> {
    const body = await readBody();
    try {
      this.assertRoom(endpoint, 1);
      const events = readEvents(body);
      await this.assertValid(endpoint, events);
      return events;
    } catch (error) {
      if (error instanceof Problem && error.code !== 'push.invalid_event') await this.rejectAll(endpoint, error);
      throw error;
    }
  }

  private async assertValid(endpoint: KnownEndpoint, events: PushedEvent[]): Promise<void> {
    const { appId, schema, schemaVersion, dedupeField } = endpoint;
    const check = schema ? this.schemas.of(appId, schemaVersion, schema) : null;
    const { errors, isCut } = errorsOfEvents(events, { check, dedupeField });
    if (errors.length === 0) return;
    const wrong = new Map(errors.toReversed().map((error) => [error.index, error.message]));
    const shown = [...wrong].slice(-PUSH_RECEIPTS_SHOWN);
    const receipts = shown.map(([index, reason]) => receiptOf(events[index], 'refused', reason));
    await this.reject(endpoint, receipts);
    const count = `${wrong.size}${isCut ? ' or more' : ''} of ${events.length} events`;
    throw new Problem('push.invalid_event', {
      detail: `${count} are not valid, so no event was stored: ${errors[0]?.message}`,
      action: 'Correct them and send all events again',
      errors: errors.map(({ field, message }) => ({ field, message })),
    });
  }

  private rejectAll(endpoint: KnownEndpoint, { problem }: Problem): Promise<void> {
    return this.reject(endpoint, [{ outcome: 'refused', reason: problem.detail, excerpt: null }]);
  }

  private assertRoom({ eventsStored }: Pick<KnownEndpoint, 'eventsStored'>, more: number): void {
    const most = this.env.PUSH_EVENTS_PER_ORGANIZATION;
    if (eventsStored + more <= most) return;
    throw new Problem('push.quota_reached', {
      detail: `The organization can store ${most.toLocaleString('en')} events and stores ${eventsStored.toLocaleString('en')}. No event of this call was stored.`,
      action: 'Send fewer events, or wait until old ones expire',
    });
  }

  private async reject(endpoint: KnownEndpoint, receipts: Receipt[]): Promise<void> {
    const { organizationId, appId } = endpoint;
    await this.tenants.transaction(organizationId, (query) => keepReceipts(query, appId, receipts));
    await this.notify(endpoint);
  }

  private async store(endpoint: KnownEndpoint, events: PushedEvent[]): Promise<PushAnswer> {
    try {
      return await this.insert(endpoint, events);
    } catch (error) {
      if (error instanceof Problem && error.code !== 'push.busy') await this.rejectAll(endpoint, error);
      throw error;
    }
  }

  private async insert(endpoint: KnownEndpoint, events: PushedEvent[]): Promise<PushAnswer> {
    const { organizationId, appId } = endpoint;
    const rows = await this.encryptAll(endpoint, events);
    // Sorted, so that two calls with the same events do not deadlock.
    const sorted = rows.toSorted((one, other) => ((one.dedupeKey ?? '') < (other.dedupeKey ?? '') ? -1 : 1));
    return this.inTurn(organizationId, async (query) => {
      const ids = new Set(await insertEvents(query, appId, sorted));
      const shown = rows.slice(-PUSH_RECEIPTS_SHOWN);
      const receipts = shown.map(({ id, event }) => receiptOf(event, ids.has(id) ? 'accepted' : 'duplicate', null));
      await keepReceipts(query, appId, receipts);
      if (ids.size > 0) {
        await this.domainEvents.emit(query, 'push.received', { organizationId, appId }, appId);
        await this.count(query, appId, ids.size);
      }
      return { accepted: ids.size, duplicates: rows.length - ids.size };
    });
  }

  /**
   * Pushes of one organization wait for each other before they take a connection of the pool, so that they cannot take all of them
   * while a lock is held.
   */
  private async inTurn<Result>(organizationId: string, work: (query: TenantQuery) => Promise<Result>): Promise<Result> {
    const startedAt = Date.now();
    const turn = (this.turns.get(organizationId) ?? Promise.resolve()).then(() => {
      if (Date.now() - startedAt > TURN_WAIT_MS) throw busy(TOO_MANY_CALLS);
      return this.tenants.transaction(organizationId, async (query) => {
        await query(`select set_config('lock_timeout', '${LOCK_WAIT}', true) from organizations where id = $1`);
        return work(query);
      });
    });
    const ended = turn.then(
      () => undefined,
      () => undefined,
    );
    this.turns.set(organizationId, ended);
    try {
      return await turn;
    } catch (error) {
      throw error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE ? busy(BEING_CHANGED, error) : error;
    } finally {
      if (this.turns.get(organizationId) === ended) this.turns.delete(organizationId);
    }
  }

  /** Lets other requests run between groups of events: encrypting 1,000 events at once delayed them. */
  private async encryptAll({ organizationId, dedupeField }: KnownEndpoint, events: PushedEvent[]): Promise<EncryptedEvent[]> {
    const rows: EncryptedEvent[] = [];
    for (const [index, event] of events.entries()) {
      if (index % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await nextTurn();
      const id = newId();
      const sealed = await this.secrets.encrypt(placeOf(organizationId, id), event.value);
      rows.push({ id, event, sealed, dedupeKey: dedupeKeyOf(dedupeField, event) });
    }
    return rows;
  }

  /**
   * Last in its transaction: concurrent calls of one organization wait for this lock, so that the quota holds. It is not the lock of
   * the organization's row, which an import holds for up to two minutes.
   */
  private async count(query: TenantQuery, appId: string, events: number): Promise<void> {
    await query(`select pg_advisory_xact_lock(hashtextextended('push quota of organization_id ' || $1::text, 0))::text`);
    await query(
      `update push_endpoints set events_kept = events_kept + $3, last_event_at = now() where organization_id = $1 and app_id = $2`,
      [appId, events],
    );
    const [row] = await query<{ eventsStored: number; eventsHeld: number }>(
      `select ${eventsStoredSql('$1')} as "eventsStored", ${eventsHeldSql('$1')} as "eventsHeld"`,
    );
    this.assertRoom({ eventsStored: (row?.eventsStored ?? 0) - events }, events);
    if ((row?.eventsHeld ?? 0) > 2 * this.env.PUSH_EVENTS_PER_ORGANIZATION)
      throw new Problem('push.quota_reached', {
        detail: 'The organization still stores too many events of deleted apps. No event of this call was stored.',
        action: 'Wait until they are deleted, 30 days after their apps',
      });
  }

  private notify({ organizationId, appId }: KnownEndpoint): Promise<void> {
    return this.notifications.publish({ organizationId, connectionId: null, type: 'push', data: { appId } });
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const LOCK_NOT_AVAILABLE = '55P03';

const BEING_CHANGED = { reason: 'The app is being changed', action: 'Send it again' };
const TOO_MANY_CALLS = {
  reason: 'Too many calls of this organization arrived at the same time',
  action: 'Send it again, and larger batches in fewer calls',
};

const busy = ({ reason, action }: typeof BEING_CHANGED, cause?: Error): Problem =>
  new Problem('push.busy', { detail: `${reason}. No event of this call was stored.`, action, retryAfterSeconds: 5 }, { cause });

const receiptOf = (event: PushedEvent | undefined, outcome: Receipt['outcome'], reason: string | null): Receipt => ({
  outcome,
  reason,
  excerpt: event ? JSON.stringify(maskPersonalData(event.value)).slice(0, EXCERPT_CHARACTERS) : null,
});

function dedupeKeyOf(field: string | null, { value }: PushedEvent): string | null {
  if (field === null) return null;
  return createHash('sha256')
    .update(JSON.stringify([field, String(value[field])]))
    .digest('hex');
}

/** Stores the receipts of a call, at most 20, and keeps the last 100 of an app. */
async function keepReceipts(query: TenantQuery, appId: string, receipts: Receipt[]): Promise<void> {
  await query(
    `insert into push_receipts (organization_id, app_id, id, outcome, reason, excerpt)
     select $1, $2, fresh.id, fresh.outcome::push_outcome, fresh.reason, fresh.excerpt
       from unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) as fresh (id, outcome, reason, excerpt)`,
    [
      appId,
      receipts.map(() => newId()),
      receipts.map(({ outcome }) => outcome),
      receipts.map(({ reason }) => reason?.slice(0, EXCERPT_CHARACTERS) ?? null),
      receipts.map(({ excerpt }) => excerpt),
    ],
  );
  await query(
    `delete from push_receipts
      where organization_id = $1 and app_id = $2
        and id < (select id from push_receipts where organization_id = $1 and app_id = $2 order by id desc offset $3 limit 1)`,
    [appId, PUSH_RECEIPTS_KEPT - 1],
  );
}
