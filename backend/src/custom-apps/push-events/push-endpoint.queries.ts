import { Inject, Injectable } from '@nestjs/common';
import { PUSH_BODY_BYTES } from '../../core/http/body-limits.js';
import { Database } from '../../core/database/database.js';
import { type Access, accessSql } from '../../access/index.js';
import { ENV, type Env } from '../../core/config/env.js';
import { notFound } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { EventSchema } from './event-schema.js';
import type { PushEndpointEntry, PushReceiptList } from './push-endpoint.dto.js';
import { PUSH_BATCH_EVENTS, PUSH_EVENT_BYTES, PUSH_EVENT_DAYS, PUSH_RECEIPTS_SHOWN } from './push-limits.js';

// SQL: one prepared statement for each received request, by an address that is no tenant yet.

/** An endpoint found by the id in its address, before its organization is known. */
export interface KnownEndpoint {
  organizationId: string;
  appId: string;
  keyHash: string | null;
  schema: EventSchema | null;
  /** Incremented by each change of the schema. */
  schemaVersion: number;
  dedupeField: string | null;
  /** Events stored for the organization, over all its endpoints. */
  eventsStored: number;
  /** Access that the organization's subscription allows. */
  access: Access;
}

type EndpointRow = Pick<PushEndpointEntry, 'keyHint' | 'schema' | 'dedupeField' | 'version' | 'eventsKept'> & {
  eventsStored: number;
  keyId: string;
  keyMadeAt: Date | null;
  lastEventAt: Date | null;
};

/**
 * Events stored for an organization, over all its endpoints. Sums the stored counts instead of counting rows, because an endpoint
 * may have millions. Events of a deleted app are stored until it is purged, and do not count, because no user can delete them.
 */
export const eventsStoredSql = (organizationId: string): string => `
  (select coalesce(sum(every.events_kept), 0)::float8
     from push_endpoints every
     join apps kept on kept.organization_id = every.organization_id and kept.id = every.app_id and kept.deleted_at is null
    where every.organization_id = ${organizationId})`;

/** Also events of deleted apps. Twice the quota is the limit, so that deleting apps does not free it again and again. */
export const eventsHeldSql = (organizationId: string): string => `
  (select coalesce(sum(events_kept), 0)::float8 from push_endpoints where organization_id = ${organizationId})`;

const EVENTS_STORED = eventsStoredSql('p.organization_id');

@Injectable()
export class PushEndpointQueries {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  async getEndpoint(organizationId: string, appId: string): Promise<PushEndpointEntry> {
    const [row] = await this.tenants.query<EndpointRow>(
      organizationId,
      `select p.key_id as "keyId", p.key_hint as "keyHint", p.key_made_at as "keyMadeAt", p.schema, p.dedupe_field as "dedupeField",
              p.version, p.events_kept as "eventsKept", p.last_event_at as "lastEventAt", ${EVENTS_STORED} as "eventsStored"
         from push_endpoints p
         join apps a on a.organization_id = p.organization_id and a.id = p.app_id and a.deleted_at is null
        where p.organization_id = $1 and p.app_id = $2`,
      [appId],
    );
    if (!row) throw notFound('The push endpoint');
    return this.toEntry(row);
  }

  async listReceipts(organizationId: string, appId: string): Promise<PushReceiptList> {
    await this.getEndpoint(organizationId, appId);
    const rows = await this.tenants.of(organizationId).pushReceipt.findMany({
      where: { appId },
      orderBy: { id: 'desc' },
      take: PUSH_RECEIPTS_SHOWN,
      select: { id: true, receivedAt: true, outcome: true, reason: true, excerpt: true },
    });
    return { items: rows.map((row) => ({ ...row, receivedAt: row.receivedAt.toISOString() })) };
  }

  /** Only of an app and an organization that are not deleted. */
  async findByKeyId(keyId: string): Promise<KnownEndpoint | null> {
    const { rows } = await this.database.pool.query<KnownEndpoint>({
      name: 'push-endpoint',
      text: `select p.organization_id as "organizationId", p.app_id as "appId", p.key_hash as "keyHash", p.schema,
                    p.version as "schemaVersion", p.dedupe_field as "dedupeField", ${EVENTS_STORED} as "eventsStored",
                    ${accessSql(this.env, 's')} as access
               from push_endpoints p
               join apps a on a.organization_id = p.organization_id and a.id = p.app_id and a.deleted_at is null
               join organizations o on o.id = p.organization_id and o.deleted_at is null
               left join subscriptions s on s.organization_id = p.organization_id
              where p.key_id = $1`,
      values: [keyId],
    });
    return rows[0] ?? null;
  }

  private toEntry({ keyId, keyMadeAt, lastEventAt, eventsStored, ...row }: EndpointRow): PushEndpointEntry {
    return {
      ...row,
      url: `${this.env.PUBLIC_URL}/push/${keyId}`,
      keyMadeAt: keyMadeAt?.toISOString() ?? null,
      lastEventAt: lastEventAt?.toISOString() ?? null,
      quota: { events: this.env.PUSH_EVENTS_PER_ORGANIZATION, used: eventsStored },
      limits: {
        bodyBytes: PUSH_BODY_BYTES,
        batchEvents: PUSH_BATCH_EVENTS,
        eventBytes: PUSH_EVENT_BYTES,
        callsPerMinute: this.env.RATE_LIMIT_PER_PUSH_KEY,
        keptDays: PUSH_EVENT_DAYS,
      },
    };
  }
}
