import type { TenantTransaction } from '../core/database/tenant-database.js';
import { Prisma } from '../generated/prisma/client.js';

/** What an import writes to apps, in its transaction. */
export async function importApp(transaction: TenantTransaction, app: Prisma.AppUncheckedCreateInput): Promise<void> {
  await transaction.app.create({ data: app });
}

export async function saveSourceDefaults(transaction: TenantTransaction, id: string, defaults: object | null): Promise<void> {
  const sourceDefaults = defaults ? { ...defaults } : Prisma.DbNull;
  await transaction.app.update({ where: { id }, data: { sourceDefaults, version: { increment: 1 } } });
}
