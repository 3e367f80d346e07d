import { isAllowed, isAtMost, type Role } from '../access/index.js';
import type { Mail } from '../core/outbox/mail.js';

interface RoleChange {
  publicUrl: string;
  to: string;
  organizationId: string;
  organizationName: string;
  changedBy: string;
  before: Role;
  after: Role;
}

const PERMISSIONS_OF: Record<Role, string> = {
  viewer: 'As a viewer you can see everything except secrets, API keys, webhooks and the audit log.',
  editor: 'As an editor you can also create, run and pause connections.',
  admin: 'As an admin you can also manage apps, destinations, members and API keys.',
  owner: 'As an owner you can do everything, including billing and deletion.',
};

function revokedBy({ before, after }: RoleChange): string[] {
  if (isAtMost(before, after)) return [];
  const links = isAllowed(after, 'apps.write') ? '' : ' Your links to reconnect apps were revoked too.';
  return [`API keys you created and invitations you sent with a higher role were revoked.${links}`];
}

export const roleChangedMail = (change: RoleChange): Mail => ({
  to: change.to,
  subject: `You are now ${change.after} of ${change.organizationName}`,
  heading: `You are now ${change.after} of ${change.organizationName}`,
  paragraphs: [
    `${change.changedBy} changed your role from ${change.before} to ${change.after}.`,
    PERMISSIONS_OF[change.after],
    ...revokedBy(change),
  ],
  button: { label: `Open ${change.organizationName}`, url: `${change.publicUrl}/${change.organizationId}/connection` },
  note: `You get this because you belong to ${change.organizationName}.`,
});
