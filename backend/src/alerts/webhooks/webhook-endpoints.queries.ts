import { Injectable } from '@nestjs/common';
import { IdCursor } from '../../core/database/cursor.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { PageQuery } from '../../core/http/page.dto.js';
import { notFound } from '../../core/http/problem.js';
import type {
  WebhookAttempt,
  WebhookDeliveryEntry,
  WebhookDeliveryPage,
  WebhookEndpointEntry,
  WebhookEndpointPage,
} from './webhook-endpoints.dto.js';

// SQL: pages that continue after an id, newest first for the log.

type EndpointRow = Omit<WebhookEndpointEntry, 'failingSince' | 'lastDeliveredAt' | 'createdAt'> & {
  failingSince: Date | null;
  lastDeliveredAt: Date | null;
  createdAt: Date;
};
type DeliveryRow = Omit<WebhookDeliveryEntry, 'nextAttemptAt' | 'createdAt' | 'deliveredAt'> & {
  history: WebhookAttempt[];
  nextAttemptAt: Date;
  createdAt: Date;
  deliveredAt: Date | null;
};

const SELECT = `
  select id, kind, name, url, host, is_enabled as "isEnabled", disabled_reason as "disabledReason", failing_since as "failingSince",
         last_delivered_at as "lastDeliveredAt", created_at as "createdAt", version
    from webhook_endpoints where organization_id = $1 and deleted_at is null`;
const SELECT_DELIVERY = `
  select id, event, state, attempts, history, next_attempt_at as "nextAttemptAt", response_status as "responseStatus",
         response_excerpt as "responseExcerpt", last_error as "lastError", created_at as "createdAt", delivered_at as "deliveredAt"
    from webhook_deliveries where organization_id = $1 and endpoint_id = $2`;

const CURSOR = new IdCursor('webhook_endpoints');
const DELIVERIES_CURSOR = new IdCursor('webhook_deliveries');

@Injectable()
export class WebhookEndpointsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Oldest first. */
  async listEndpoints(organizationId: string, { cursor, limit }: PageQuery): Promise<WebhookEndpointPage> {
    const rows = await this.tenants.query<EndpointRow>(
      organizationId,
      `${SELECT} and ($2::uuid is null or id > $2) order by id limit $3`,
      [CURSOR.after(cursor), limit + 1],
    );
    return CURSOR.toPage(rows.map(toEndpoint), limit, ({ id }) => [id]);
  }

  async getEndpoint(organizationId: string, endpointId: string): Promise<WebhookEndpointEntry> {
    const [row] = await this.tenants.query<EndpointRow>(organizationId, `${SELECT} and id = $2`, [endpointId]);
    if (!row) throw notFound('The webhook');
    return toEndpoint(row);
  }

  /** Newest first. */
  async listDeliveries(organizationId: string, endpointId: string, { cursor, limit }: PageQuery): Promise<WebhookDeliveryPage> {
    await this.getEndpoint(organizationId, endpointId);
    const rows = await this.tenants.query<DeliveryRow>(
      organizationId,
      `${SELECT_DELIVERY} and ($3::uuid is null or id < $3) order by id desc limit $4`,
      [endpointId, DELIVERIES_CURSOR.after(cursor), limit + 1],
    );
    return DELIVERIES_CURSOR.toPage(rows.map(toDelivery), limit, ({ id }) => [id]);
  }

  async getDelivery(organizationId: string, endpointId: string, deliveryId: string): Promise<WebhookDeliveryEntry> {
    const [row] = await this.tenants.query<DeliveryRow>(organizationId, `${SELECT_DELIVERY} and id = $3`, [
      endpointId,
      deliveryId,
    ]);
    if (!row) throw notFound('The delivery');
    return toDelivery(row);
  }
}

const toEndpoint = (row: EndpointRow): WebhookEndpointEntry => ({
  ...row,
  failingSince: row.failingSince?.toISOString() ?? null,
  lastDeliveredAt: row.lastDeliveredAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
});

const toDelivery = (row: DeliveryRow): WebhookDeliveryEntry => ({
  ...row,
  nextAttemptAt: row.state === 'queued' ? row.nextAttemptAt.toISOString() : null,
  createdAt: row.createdAt.toISOString(),
  deliveredAt: row.deliveredAt?.toISOString() ?? null,
});
