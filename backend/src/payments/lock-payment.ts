import type { TenantQuery } from '../core/database/tenant-database.js';

// SQL: locks connections and the payment in one order.

/**
 * Locks are taken in one order, so that no two transactions wait for each other in a circle: runs, connections, payments, events of
 * webhooks, coverage; rows of one table by id.
 */
export async function lockPayment(query: TenantQuery, paymentId: string): Promise<void> {
  await query('select id from payments where organization_id = $1 and id = $2::uuid order by id for no key update', [paymentId]);
}

export async function lockWithConnections(query: TenantQuery, paymentId: string): Promise<void> {
  await query('select id from connections where organization_id = $1 and payment_id = $2::uuid order by id for update', [
    paymentId,
  ]);
  await lockPayment(query, paymentId);
}
