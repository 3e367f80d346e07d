import type { Database } from '../core/database/database.js';

interface DemoConnection {
  organizationId: string;
  connectionId: string;
}

/** The oldest connection of the oldest organization that the user owns; undefined while the demo is being created. */
export async function findDemoConnection({ prisma }: Database, email: string): Promise<DemoConnection | undefined> {
  const connection = await prisma.connection.findFirst({
    where: {
      deletedAt: null,
      paymentId: null,
      organization: { deletedAt: null, members: { some: { role: 'owner', user: { email } } } },
    },
    orderBy: [{ organization: { createdAt: 'asc' } }, { createdAt: 'asc' }],
    select: { id: true, organizationId: true },
  });
  return connection ? { organizationId: connection.organizationId, connectionId: connection.id } : undefined;
}
