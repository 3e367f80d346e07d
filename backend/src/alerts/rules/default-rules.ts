import { newId } from '../../core/database/identifiers.js';
import type { TenantTransaction } from '../../core/database/tenant-database.js';
import { alertKinds } from '../alert-kinds.js';

/** Rules of a new organization: all alerts in the app, and by mail to owners and admins. */
export async function createDefaultRules({ notificationRule }: TenantTransaction, organizationId: string): Promise<void> {
  const all = { organizationId, events: alertKinds };
  await notificationRule.createMany({
    data: [
      { ...all, id: newId(), channel: 'in_app' },
      { ...all, id: newId(), channel: 'mail', roles: ['owner', 'admin'] },
    ],
  });
}
