import type { TenantTransaction } from '../../core/database/tenant-database.js';
import { Prisma } from '../../generated/prisma/client.js';

/** In the transaction of an import. */
export async function savePushSchema(
  transaction: TenantTransaction,
  appId: string,
  { schema, dedupeField }: { schema: object | null; dedupeField: string | null },
): Promise<void> {
  const stored = (schema as Prisma.InputJsonObject | null) ?? Prisma.DbNull;
  await transaction.pushEndpoint.updateMany({
    where: { appId },
    data: { schema: stored, dedupeField, version: { increment: 1 } },
  });
}
