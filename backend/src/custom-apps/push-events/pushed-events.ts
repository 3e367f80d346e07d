import { Injectable } from '@nestjs/common';
import { Secrets } from '../../core/encryption/secrets.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import type { PushEvent } from '../../generated/prisma/client.js';

// SQL: many rows in one statement (unnest), which returns the new ones; pages by a pair of columns.

/** Transactions that store events last less than this. An event may become visible after events with a higher id. */
export const PUSH_VISIBILITY_MS = 600_000;

export interface StoredPushEvent {
  /** UUIDv7; increases with the time of arrival. */
  id: string;
  receivedAt: Date;
  /** Hash of the dedupe field and its value; null: the app had no dedupe field. */
  dedupeKey: string | null;
  payload: Record<string, unknown>;
}

const COLUMNS = { id: true, receivedAt: true, dedupeKey: true, payload: true, sealedPayload: true } as const;

type Row = Pick<PushEvent, keyof typeof COLUMNS>;

/** Events are decrypted in batches. One has up to 32 kB. */
const BATCH_EVENTS = 200;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

interface Period {
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** Reads the events that external systems pushed to a custom app. */
@Injectable()
export class PushedEvents {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly secrets: Secrets,
  ) {}

  /** The newest events first. */
  async listNewest(organizationId: string, appId: string, limit: number): Promise<StoredPushEvent[]> {
    const events = this.tenants.of(organizationId).pushEvent;
    const rows = await events.findMany({ where: { appId }, orderBy: { id: 'desc' }, take: limit, select: COLUMNS });
    return this.open(organizationId, rows);
  }

  /** Events in the order of their ids. `after` null: from the first one. */
  async listAfter(organizationId: string, appId: string, after: string | null, limit: number): Promise<StoredPushEvent[]> {
    const where = { appId, ...(after !== null && { id: { gt: after } }) };
    const events = this.tenants.of(organizationId).pushEvent;
    return this.open(organizationId, await events.findMany({ where, orderBy: { id: 'asc' }, take: limit, select: COLUMNS }));
  }

  async countReceived(organizationId: string, appId: string, { from, to }: Period): Promise<number> {
    const where = { appId, receivedAt: { gte: from, lt: to } };
    return this.tenants.of(organizationId).pushEvent.count({ where });
  }

  /** All events that were received in a period, in batches, in the order of their arrival. */
  async *listReceived(organizationId: string, appId: string, { from, to }: Period): AsyncGenerator<StoredPushEvent[]> {
    let last = { receivedAt: from, id: BEFORE_ALL_IDS };
    for (;;) {
      const rows = await this.tenants.query<Row>(
        organizationId,
        `select id, received_at as "receivedAt", dedupe_key as "dedupeKey", payload, sealed_payload as "sealedPayload"
           from push_events
          where organization_id = $1 and app_id = $2::uuid and (received_at, id) > ($3::timestamptz, $4::uuid) and received_at < $5
          order by received_at, id limit $6`,
        [appId, last.receivedAt, last.id, to, BATCH_EVENTS],
      );
      if (rows.length > 0) yield await this.open(organizationId, rows);
      if (rows.length < BATCH_EVENTS) return;
      last = rows.at(-1) ?? last;
    }
  }

  private open(organizationId: string, rows: Row[]): Promise<StoredPushEvent[]> {
    return Promise.all(
      rows.map(async ({ sealedPayload, payload, ...row }) => ({
        ...row,
        payload: sealedPayload
          ? ((await this.secrets.decrypt(placeOf(organizationId, row.id), sealedPayload)) as object)
          : payload,
      })),
    ) as Promise<StoredPushEvent[]>;
  }
}

/** Stores events; those with a known dedupe key are skipped. Returns the ids of the new ones. */
export async function insertEvents(
  query: TenantQuery,
  appId: string,
  events: { id: string; dedupeKey: string | null; sealed: string }[],
): Promise<string[]> {
  const stored = await query<{ id: string }>(
    `insert into push_events (organization_id, app_id, id, dedupe_key, sealed_payload)
     select $1, $2, fresh.id, fresh.dedupe_key, fresh.sealed
       from unnest($3::uuid[], $4::text[], $5::text[]) as fresh (id, dedupe_key, sealed)
     on conflict (organization_id, app_id, dedupe_key) do nothing returning id`,
    [appId, events.map(({ id }) => id), events.map(({ dedupeKey }) => dedupeKey), events.map(({ sealed }) => sealed)],
  );
  return stored.map(({ id }) => id);
}

export const placeOf = (organizationId: string, rowId: string) =>
  ({ table: 'push_events', column: 'sealed_payload', organizationId, rowId }) as const;
