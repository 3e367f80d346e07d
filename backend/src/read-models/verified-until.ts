import type { TenantDatabase } from '../core/database/tenant-database.js';

// SQL: an aggregate over coverage.

/** When a day of the payment was last verified at all of its destinations. Null: not at all of them. */
export async function verifiedUntil(tenants: TenantDatabase, organizationId: string, paymentId: string): Promise<Date | null> {
  const [row] = await tenants.query<{ at: Date | null }>(
    organizationId,
    `select min(loaded.at) as at
       from connections c
       left join lateral (select max(v.last_verified_at) as at from coverage v
                           where v.organization_id = c.organization_id and v.connection_id = c.id) loaded on true
      where c.organization_id = $1 and c.payment_id = $2 and c.deleted_at is null
     having bool_and(loaded.at is not null)`,
    [paymentId],
  );
  return row?.at ?? null;
}
