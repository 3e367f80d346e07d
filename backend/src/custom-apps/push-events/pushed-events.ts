import { Injectable } from '@nestjs/common';
import { Secrets } from '../../core/encryption/secrets.js';
import { TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';

// SQL: many rows in one statement (unnest), which returns the new ones.

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

type Row = Omit<StoredPushEvent, 'payload'> & { payload: Record<string, unknown> | null; sealed: string | null };

const COLUMNS = 'id, received_at as "receivedAt", dedupe_key as "dedupeKey", payload, sealed_payload as sealed';

/** Reads the events that external systems pushed to a custom app. */
@Injectable()
export class PushedEvents {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly secrets: Secrets,
  ) {}

  /** The newest events first. */
  async listNewest(organizationId: string, appId: string, limit: number): Promise<StoredPushEvent[]> {
    return this.open(
      organizationId,
      await this.tenants.query<Row>(
        organizationId,
        `select ${COLUMNS} from push_events where organization_id = $1 and app_id = $2 order by id desc limit $3`,
        [appId, limit],
      ),
    );
  }

  /** Events in the order of their ids. `after` null: from the first one. */
  async listAfter(organizationId: string, appId: string, after: string | null, limit: number): Promise<StoredPushEvent[]> {
    return this.open(
      organizationId,
      await this.tenants.query<Row>(
        organizationId,
        `select ${COLUMNS} from push_events
          where organization_id = $1 and app_id = $2 and ($3::uuid is null or id > $3) order by id limit $4`,
        [appId, after, limit],
      ),
    );
  }

  /** The ids of all events that were received in a period, in their order. `to` is exclusive. */
  async listIds(organizationId: string, appId: string, from: Date, to: Date): Promise<string[]> {
    const rows = await this.tenants.query<{ id: string }>(
      organizationId,
      `select id from push_events
        where organization_id = $1 and app_id = $2 and received_at >= $3::timestamptz and received_at < $4::timestamptz order by id`,
      [appId, from, to],
    );
    return rows.map(({ id }) => id);
  }

  async listByIds(organizationId: string, appId: string, ids: string[]): Promise<StoredPushEvent[]> {
    return this.open(
      organizationId,
      await this.tenants.query<Row>(
        organizationId,
        `select ${COLUMNS} from push_events
          where organization_id = $1 and app_id = $2 and id = any ($3::uuid[]) order by id`,
        [appId, ids],
      ),
    );
  }

  private open(organizationId: string, rows: Row[]): Promise<StoredPushEvent[]> {
    return Promise.all(
      rows.map(async ({ sealed, payload, ...row }) => ({
        ...row,
        payload: sealed ? ((await this.secrets.decrypt(placeOf(organizationId, row.id), sealed)) as object) : payload,
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

/** The lowest UUIDv7 of a moment, to read events that arrived since then. */
export function firstIdOf(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
