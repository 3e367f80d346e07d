import type { TenantTransaction } from '../core/database/tenant-database.js';
import type { Prisma } from '../generated/prisma/client.js';

/** What an import writes to sources, in its transaction. */
export async function importSource(transaction: TenantTransaction, source: Prisma.SourceUncheckedCreateInput): Promise<void> {
  await transaction.source.create({ data: source });
}

export async function updateImportedSource(
  transaction: TenantTransaction,
  id: string,
  columns: Pick<Prisma.SourceUncheckedUpdateInput, 'name' | 'accountIds' | 'settings'>,
): Promise<void> {
  await transaction.source.update({ where: { id }, data: { ...columns, version: { increment: 1 } } });
}
