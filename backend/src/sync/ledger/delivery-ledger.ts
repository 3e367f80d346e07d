import { Injectable } from '@nestjs/common';
import type { SentRow, Deliveries, Slice, Stream } from '../../connectors/kit/contract.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { Lease } from './lease.js';
import { RunLedger } from './run-ledger.js';

// SQL: fenced by the lease; many rows in one statement.

/**
 * Stores which rows were sent to a destination that cannot replace rows. Connections with the same destination share these rows.
 */
@Injectable()
export class DeliveryLedger {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly ledger: RunLedger,
  ) {}

  of(lease: Lease, destinationId: string): Deliveries {
    return {
      list: (slice) => this.list(lease.organizationId, destinationId, slice),
      plan: (slice, rows) => this.plan(lease, destinationId, slice, rows),
      confirm: (slice, keys) => this.confirm(lease, destinationId, slice, keys),
    };
  }

  /** For previews, which must not change the ledger. */
  readOnly(organizationId: string, destinationId: string): Deliveries {
    const refuse = () => Promise.reject(new Error('a preview must not change the delivery ledger'));
    return { list: (slice) => this.list(organizationId, destinationId, slice), plan: refuse, confirm: refuse };
  }

  private list(organizationId: string, destinationId: string, { stream, account, from, to }: Slice): Promise<SentRow[]> {
    return this.tenants.query<SentRow & Record<string, unknown>>(
      organizationId,
      `select key, day, revision, state, planned from delivery_ledger
        where organization_id = $1 and destination_id = $2 and stream = $3 and account_id = $4 and day between $5 and $6`,
      [destinationId, nameOf(stream), account.externalId, from, to],
    );
  }

  private plan(lease: Lease, destinationId: string, { stream, account }: Slice, rows: SentRow[]): Promise<void> {
    return this.ledger.fenced(lease, (query) =>
      query(
        `insert into delivery_ledger (organization_id, destination_id, stream, account_id, day, key, revision, state, planned)
         select $1, $2, $3, $4, day, key, revision, state, planned
           from jsonb_to_recordset($5::jsonb) as r(day date, key text, revision int, state jsonb, planned jsonb)
         on conflict (organization_id, destination_id, stream, account_id, day, key) do update
            set revision = excluded.revision, state = excluded.state, planned = excluded.planned`,
        [destinationId, nameOf(stream), account.externalId, JSON.stringify(rows)],
      ),
    );
  }

  private confirm(lease: Lease, destinationId: string, { stream, account, from, to }: Slice, keys: string[]): Promise<void> {
    return this.ledger.fenced(lease, (query) =>
      query(
        `update delivery_ledger set planned = null
          where organization_id = $1 and destination_id = $2 and stream = $3 and account_id = $4 and day between $5 and $6
            and key = any($7::text[])`,
        [destinationId, nameOf(stream), account.externalId, from, to, keys],
      ),
    );
  }
}

/**
 * Identifies a stream across platforms, whose streams may have the same name: by its table, and by its scope in a shared table.
 */
const nameOf = ({ table, scope }: Stream): string => (scope ? `${table}/${scope.value}` : table);
