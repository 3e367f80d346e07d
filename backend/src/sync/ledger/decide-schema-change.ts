import type { TenantTransaction } from '../../core/database/tenant-database.js';

export async function decideSchemaChange(
  transaction: TenantTransaction,
  {
    organizationId,
    id,
    state,
    decidedBy,
  }: { organizationId: string; id: string; state: 'approved' | 'ignored'; decidedBy: string },
): Promise<void> {
  await transaction.schemaChange.update({
    where: { organizationId_id: { organizationId, id } },
    data: { state, decidedAt: new Date(), decidedBy },
  });
}
