import type { TenantTransaction } from '../core/database/tenant-database.js';
import type { Prisma } from '../generated/prisma/client.js';

/** In the transaction of an import. An imported payment is paused. */
export async function importPayment(
  transaction: TenantTransaction,
  payment: Omit<Prisma.PaymentUncheckedCreateInput, 'desired' | 'pausedAt' | 'pausedBy'> & { createdBy: string },
): Promise<void> {
  const paused = { desired: 'paused', pausedAt: new Date(), pausedBy: payment.createdBy } as const;
  await transaction.payment.create({ data: { ...payment, ...paused } });
}
