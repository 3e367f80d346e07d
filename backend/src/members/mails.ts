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

const MAY: Record<Role, string> = {
  viewer: 'As a viewer you see everything but secrets.',
  editor: 'As an editor you also make, run and pause connections.',
  admin: 'As an admin you also manage apps, destinations, people and API keys.',
  owner: 'As an owner you may do everything, billing and deletion included.',
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
    MAY[change.after],
    ...revokedBy(change),
  ],
  button: { label: `Open ${change.organizationName}`, url: `${change.publicUrl}/${change.organizationId}/connection` },
  note: `You get this because you belong to ${change.organizationName}.`,
});
