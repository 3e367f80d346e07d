import type { Database } from '../core/database/database.js';

interface DemoConnection {
  organizationId: string;
  connectionId: string;
}

/**
 * The first connection of Google Ads to PostgreSQL in the oldest organization that the user owns; undefined while the demo is being
 * created.
 */
export async function findDemoConnection({ prisma }: Database, email: string): Promise<DemoConnection | undefined> {
  const connection = await prisma.connection.findFirst({
    where: {
      deletedAt: null,
      paymentId: null,
      // The faults of the tour are those of Google Ads and PostgreSQL.
      source: { app: { provider: 'google_ads' } },
      destination: { app: { provider: 'postgresql' } },
      organization: { deletedAt: null, members: { some: { role: 'owner', user: { email } } } },
    },
    // Ids ascend by time. `createdAt` does not, because the demo dates connections back to have runs of the past.
    orderBy: [{ organization: { createdAt: 'asc' } }, { id: 'asc' }],
    select: { id: true, organizationId: true },
  });
  return connection ? { organizationId: connection.organizationId, connectionId: connection.id } : undefined;
}
