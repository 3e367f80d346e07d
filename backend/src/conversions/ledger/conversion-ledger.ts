import { Injectable } from '@nestjs/common';
import { LeaseLost } from '../../connectors/kit/errors.js';
import type { Note } from '../../connectors/kit/conversion.js';
import type { ConversionTarget } from '../../connectors/kit/conversion-target.js';
import type { ConversionEventState } from '../../generated/prisma/client.js';
import { newId } from '../../core/database/identifiers.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import { Secrets } from '../../core/encryption/secrets.js';
import type { NewEvent } from './prepare-event.js';
import { restore, separate, type PrivateFields } from './private-fields.js';

// SQL: fenced by the claim, hundreds of rows in one statement, which also updates the counts of the day.

/** A worker's claim of a conversion. A newer claim rejects its writes. */
export interface Claim {
  organizationId: string;
  conversionId: string;
  epoch: bigint;
}

/**
 * The conversion was changed, paused or deleted, or its organization deleted, after its worker opened it. The next run works by the new
 * rules.
 */
export class ConversionChanged extends Error {
  override name = 'ConversionChanged';
}

/** An event that is ready to be sent. */
export interface DueEvent {
  id: string;
  dedupeKey: string;
  payload: Record<string, unknown>;
  rulesVersion: string;
  expiresAt: Date;
  attempts: number;
  notes: Note[];
}

/** The new state of an event. */
export interface EventChange {
  id: string;
  state: ConversionEventState;
  code?: string | null;
  message?: string | null;
  nextAttemptAt?: Date | null;
  notes?: Note[];
  requestId?: string | null;
  /** Set when the event leaves: its index in the request. Counts an attempt. */
  requestIndex?: number;
  /** True if the request did not leave. Its attempt does not count. */
  isUnsent?: boolean;
  /** True if no later decision of the platform follows, as after `accepted` by a platform that reports nothing further. */
  isFinal?: boolean;
}

/** States that an event does not leave. Its private fields are deleted then. A rejected or dead event can be sent again until it expires. */
const FINAL: ReadonlySet<ConversionEventState> = new Set(['ineligible', 'processed', 'unmatched', 'expired', 'adjusted']);

/** Events that one transaction ends. */
const EXPIRED_AT_ONCE = 2_000;

type Json = Record<string, unknown>;
type DueRow = Omit<DueEvent, 'payload'> & {
  payload: Json;
  privateFields: string | null;
  isExpired: boolean;
  targetKey: string | null;
};

/** The events of a conversion. Each change is fenced by the claim, and updates the counts by day and state in the same statement. */
@Injectable()
export class ConversionLedger {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Runs changes in one transaction that fails if another worker has claimed the conversion.
   *
   * @param version of the rules that the changes depend on; they fail if the conversion was changed, paused or deleted since, or its
   *   organization deleted
   */
  async change<Result>(
    { organizationId, conversionId, epoch }: Claim,
    work: (query: TenantQuery) => Promise<Result>,
    version?: number,
  ): Promise<Result> {
    return this.tenants.transaction(organizationId, async (query) => {
      const [mine] = await query<{ version: number; isActive: boolean }>(
        `select version, desired = 'active' and deleted_at is null
                and exists (select from organizations o where o.id = $1 and o.deleted_at is null) as "isActive"
           from conversions where organization_id = $1 and id = $2 and lease_epoch = $3 for no key update`,
        [conversionId, epoch],
      );
      if (!mine) throw new LeaseLost('another worker has claimed the conversion');
      if (version !== undefined && (mine.version !== version || !mine.isActive))
        throw new ConversionChanged('the conversion was changed');
      return work(query);
    });
  }

  /** Stores new events and skips known ones. Returns the number of new events. */
  async insert(
    query: TenantQuery,
    { organizationId, conversionId }: Claim,
    events: NewEvent[],
    targetKey: string,
  ): Promise<number> {
    const rows = await Promise.all(events.map((event) => this.toRow(organizationId, event)));
    const [row] = await query<{ count: number }>(
      `with fresh as (
         insert into conversion_events (organization_id, conversion_id, id, dedupe_key, adjusts, state, code, message, occurred_at,
                received_at, received_on, order_id, click_id, person_key, value, currency, identifiers, payload, private_fields,
                rules_version, notes, expires_at, next_attempt_at, target_key, history, updated_at)
         select $1, $2, e.id, e.dedupe_key, e.adjusts, e.state, e.code, e.message, e.occurred_at, now(),
                (now() at time zone 'UTC')::date, e.order_id, e.click_id, e.person_key, e.value, e.currency, e.identifiers,
                e.payload, e.private_fields, e.rules_version, e.notes, e.expires_at, e.next_attempt_at, $4,
                jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('at', ${NOW_TEXT}, 'state', e.state, 'code', e.code))), now()
           from jsonb_to_recordset($3::jsonb) as e(id uuid, dedupe_key text, adjusts text, state conversion_event_state, code text,
                message text, occurred_at timestamptz, order_id text, click_id text, person_key text, value numeric, currency text,
                identifiers text[], payload jsonb, private_fields text, rules_version text, notes jsonb, expires_at timestamptz,
                next_attempt_at timestamptz)
         on conflict (organization_id, conversion_id, dedupe_key) do nothing
         returning state, received_on),
       counted as (${countSql('select received_on as day, state, 1 as n from fresh')})
       select count(*)::int as count from fresh`,
      [conversionId, JSON.stringify(rows), targetKey],
    );
    return row?.count ?? 0;
  }

  /** Person keys that already have an event. */
  async listKnownPersons(query: TenantQuery, conversionId: string, keys: string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    const rows = await query<{ key: string }>(
      `select distinct person_key as key from conversion_events
        where organization_id = $1 and conversion_id = $2 and person_key = any($3::text[])`,
      [conversionId, keys],
    );
    return new Set(rows.map(({ key }) => key));
  }

  /** Events whose dedupe key is known already. */
  async listKnownKeys(query: TenantQuery, conversionId: string, keys: string[]): Promise<Set<string>> {
    const rows = await query<{ key: string }>(
      `select dedupe_key as key from conversion_events
        where organization_id = $1 and conversion_id = $2 and dedupe_key = any($3::text[])`,
      [conversionId, keys],
    );
    return new Set(rows.map(({ key }) => key));
  }

  async countDue({ organizationId, conversionId }: Claim): Promise<number> {
    const [row] = await this.tenants.query<{ count: number }>(
      organizationId,
      `select count(*)::int as count from (
         select 1 from conversion_events
          where organization_id = $1 and conversion_id = $2 and adjusts is null and ${DUE} limit 2000) due`,
      [conversionId],
    );
    return row?.count ?? 0;
  }

  /** Ends the events that became too old, also those that wait for a retry. Those that ended before cannot be sent again. */
  async expire(claim: Claim): Promise<void> {
    while ((await this.expireWaiting(claim)) === EXPIRED_AT_ONCE);
    while ((await this.forgetPersons(claim)) === EXPIRED_AT_ONCE);
  }

  private expireWaiting(claim: Claim): Promise<number> {
    return this.change(claim, async (query) => {
      const expired = await query<{ id: string }>(
        `select id from conversion_events
          where organization_id = $1 and conversion_id = $2 and state in ('queued', 'retrying') and expires_at <= now() limit $3`,
        [claim.conversionId, EXPIRED_AT_ONCE],
      );
      await this.apply(query, claim.conversionId, expired.map(toExpired));
      return expired.length;
    });
  }

  /** Deletes the private fields of expired events. */
  private forgetPersons(claim: Claim): Promise<number> {
    return this.change(claim, async (query) => {
      const changed = await query(
        `update conversion_events set private_fields = null
          where organization_id = $1 and id in (
            select id from conversion_events
             where organization_id = $1 and conversion_id = $2 and state in ('rejected', 'dead') and expires_at <= now()
               and private_fields is not null limit $3)
         returning id`,
        [claim.conversionId, EXPIRED_AT_ONCE],
      );
      return changed.length;
    });
  }

  /**
   * Marks the next events as sent in a new request, before the request leaves. Expired events end here, and those that were prepared for
   * a platform that the conversion no longer sends to.
   */
  async takeBatch(
    claim: Claim,
    limit: number,
    { version, target }: { version: number; target: Pick<ConversionTarget, 'key'> },
  ): Promise<{ requestId: string; events: DueEvent[] } | null> {
    const take = async (query: TenantQuery) => {
      const { organizationId, conversionId } = claim;
      for (;;) {
        const rows = await query<DueRow>(
          `select id, dedupe_key as "dedupeKey", payload, private_fields as "privateFields", rules_version as "rulesVersion",
                  expires_at as "expiresAt", attempts, notes, coalesce(expires_at <= now(), false) as "isExpired",
                  target_key as "targetKey"
             from conversion_events
            where organization_id = $1 and conversion_id = $2 and adjusts is null and ${DUE} order by id limit $3`,
          [conversionId, limit],
        );
        if (rows.length === 0) return null;
        const ended = rows.flatMap((row) => (row.isExpired ? toExpired(row) : takesPayload(target, row) ? [] : toChanged(row)));
        const ready = rows.filter((row) => !row.isExpired && takesPayload(target, row));
        await this.apply(query, conversionId, ended);
        if (ready.length === 0) continue;
        const requestId = await this.addRequest(query, conversionId, { eventCount: ready.length, isAdjustment: false });
        await this.markSent(query, conversionId, requestId, ready);
        await query(
          `update conversion_events set target_key = $4
            where organization_id = $1 and conversion_id = $2 and request_id = $3 and target_key is distinct from $4`,
          [conversionId, requestId, target.key],
        );
        return { requestId, events: await Promise.all(ready.map((row) => this.open(organizationId, row))) };
      }
    };
    return this.change(claim, take, version);
  }

  /** Events that left and whose answer was not stored. */
  listSent(
    query: TenantQuery,
    conversionId: string,
  ): Promise<(Pick<DueEvent, 'id' | 'attempts' | 'notes'> & { isAdjustment: boolean })[]> {
    return query(
      `select id, attempts, notes, adjusts is not null as "isAdjustment" from conversion_events
        where organization_id = $1 and conversion_id = $2 and state = 'sent'`,
      [conversionId],
    );
  }

  async addRequest(
    query: TenantQuery,
    conversionId: string,
    { eventCount, isAdjustment }: { eventCount: number; isAdjustment: boolean },
  ): Promise<string> {
    const id = newId();
    await query(
      `insert into conversion_requests (organization_id, conversion_id, id, event_count, is_adjustment) values ($1, $2, $3, $4, $5)`,
      [conversionId, id, eventCount, isAdjustment],
    );
    return id;
  }

  async markSent(query: TenantQuery, conversionId: string, requestId: string, events: { id: string }[]): Promise<void> {
    await this.apply(
      query,
      conversionId,
      events.map(({ id }, requestIndex) => ({ id, state: 'sent', requestId, requestIndex })),
    );
  }

  /** Sets the states of events, with their history and the counts. The history has no entry for a state that stays. */
  async apply(query: TenantQuery, conversionId: string, changes: EventChange[]): Promise<void> {
    if (changes.length === 0) return;
    const rows = changes.map(
      ({ id, state, code, message, nextAttemptAt, notes, requestId, requestIndex, isUnsent, isFinal }) => ({
        ...{
          id,
          state,
          code,
          message,
          next_attempt_at: nextAttemptAt,
          notes,
          request_id: requestId,
          request_index: requestIndex,
        },
        ...{ is_final: isFinal ?? FINAL.has(state), attempts: requestIndex === undefined ? (isUnsent ? -1 : 0) : 1 },
      }),
    );
    await query(
      `with input as (
         select * from jsonb_to_recordset($3::jsonb) as i(id uuid, state conversion_event_state, code text, message text,
                next_attempt_at timestamptz, notes jsonb, request_id uuid, request_index int, is_final boolean, attempts int)),
       before as (
         select e.received_on as day, e.state, -1 as n from conversion_events e join input i on i.id = e.id
          where e.organization_id = $1 and e.conversion_id = $2),
       changed as (
         update conversion_events e
            set state = i.state, code = i.code, message = i.message, next_attempt_at = i.next_attempt_at,
                notes = coalesce(i.notes, e.notes), request_id = coalesce(i.request_id, e.request_id),
                request_index = coalesce(i.request_index, e.request_index), attempts = e.attempts + i.attempts,
                sent_at = case when i.attempts = 1 then now() else e.sent_at end,
                private_fields = case when i.is_final then null else e.private_fields end, updated_at = now(),
                history = case when (e.state, coalesce(e.code, '')) = (i.state, coalesce(i.code, '')) then e.history
                  else e.history || jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
                    'at', ${NOW_TEXT}, 'state', i.state, 'code', i.code, 'requestId', i.request_id))) end
           from input i
          where e.organization_id = $1 and e.conversion_id = $2 and e.id = i.id
         returning e.received_on as day, e.state),
       moved as (select * from before union all select day, state, 1 from changed)
       ${countSql('select * from moved')}`,
      [conversionId, JSON.stringify(rows)],
    );
  }

  private async open(organizationId: string, { privateFields, isExpired: _, targetKey: __, ...row }: DueRow): Promise<DueEvent> {
    if (!privateFields) return row;
    const place = { table: 'conversion_events', column: 'private_fields', organizationId, rowId: row.id } as const;
    return { ...row, payload: restore(row.payload, (await this.secrets.decrypt(place, privateFields)) as PrivateFields) };
  }

  private async toRow(organizationId: string, event: NewEvent): Promise<Json> {
    const id = newId();
    const { result } = event;
    const prepared = typeof result === 'object' && 'prepared' in result ? result.prepared : null;
    const rejected = typeof result === 'object' && 'rejected' in result ? result.rejected : null;
    const { payload, privateFields } = prepared ? separate(prepared.payload) : { payload: null, privateFields: null };
    const place = { table: 'conversion_events', column: 'private_fields', organizationId, rowId: id } as const;
    return {
      id,
      dedupe_key: event.dedupeKey,
      adjusts: event.adjusts,
      ...firstState(event.result),
      occurred_at: event.occurredAt,
      order_id: event.orderId,
      click_id: event.clickId,
      person_key: rejected ? null : event.personKey,
      value: event.value,
      currency: event.currency,
      identifiers: event.identifiers,
      payload,
      private_fields: privateFields && (await this.secrets.encrypt(place, privateFields)),
      rules_version: prepared?.rulesVersion ?? null,
      notes: prepared?.notes ?? [],
      expires_at: prepared?.expiresAt ?? null,
    };
  }
}

function firstState(result: NewEvent['result']): Pick<EventChange, 'state' | 'code' | 'message'> & { next_attempt_at?: Date } {
  if (result === 'adjustment') return { state: 'queued' };
  if ('rejected' in result) return { state: 'ineligible', code: result.rejected.reason, message: result.rejected.message };
  const { notBefore } = result;
  if (!notBefore) return { state: 'queued' };
  const message = 'The time of the event is in the future. It is sent then.';
  return { state: 'retrying', code: 'in_future', message, next_attempt_at: notBefore };
}

/** Like `Date.toISOString`. */
const NOW_TEXT = `to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const toExpired = ({ id }: { id: string }): EventChange => ({
  id,
  state: 'expired',
  code: 'expired',
  message: 'The event became too old for the platform before it could be sent.',
});

/** The text before the first slash of a key names the form of the payload. */
const takesPayload = ({ key }: Pick<ConversionTarget, 'key'>, { targetKey }: { targetKey: string | null }): boolean =>
  targetKey === null || targetKey.split('/')[0] === key.split('/')[0];

/** It can be sent again after the conversion was changed back. */
const toChanged = ({ id }: { id: string }): EventChange => ({
  id,
  state: 'dead',
  code: 'target_changed',
  message: 'The event was prepared for another platform, before the conversion was changed.',
});

/** Events to send now. */
const DUE = `(state = 'queued' or (state = 'retrying' and next_attempt_at <= now()))`;

/** Adds the sums of `rows(day, state, n)` to the counts. `$2` is the conversion. */
const countSql = (rows: string): string => `
  insert into conversion_counts as c (organization_id, conversion_id, day, state, events)
  select $1, $2, day, state, sum(n) from (${rows}) delta group by day, state having sum(n) <> 0
  on conflict (organization_id, conversion_id, day, state) do update set events = c.events + excluded.events`;
