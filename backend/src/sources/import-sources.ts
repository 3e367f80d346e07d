import type { TenantTransaction } from '../core/database/tenant-database.js';
import type { Prisma } from '../generated/prisma/client.js';

/** What an import writes to sources, in its transaction. */
export async function importSource(transaction: TenantTransaction, source: Prisma.SourceUncheckedCreateInput): Promise<void> {
  await transaction.source.create({ data: source });
}
