import type { IncomingMessage } from 'node:http';
import type { Faults } from '../faults.ts';
import { MixpanelError } from './errors.ts';
import { projects, serviceAccounts, type Project, type Residency, type Role, type ServiceAccount } from './projects.ts';

/** Base64 as in the standard, or plain text, which Mixpanel accepts too. */
export function readCredentials(request: IncomingMessage): { username: string; secret: string } | null {
  const given = /^basic\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1]?.trim();
  if (!given) return null;
  const text = given.includes(':') ? given : Buffer.from(given, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? null : { username: text.slice(0, colon), secret: text.slice(colon + 1) };
}

export function authenticate(request: IncomingMessage, faults: Faults): ServiceAccount {
  const given = readCredentials(request);
  const account = given ? serviceAccounts.get(given.username) : undefined;
  if (!account || account.secret !== given?.secret || account.isExpired) throw new MixpanelError(401, 'Invalid credentials');
  // Secrets are never replaced in the sandbox, so a revocation remains until the fault is cleared.
  if (faults.findForToken('mixpanel', 'revoke', account.username, 0)) throw new MixpanelError(401, 'Invalid credentials');
  return account;
}

/** The requested project of a service account. The region is checked separately. */
export function reachProject(account: ServiceAccount, projectId: string | null, roles: Role[]): Project {
  const project = projectId === null ? undefined : projects.get(projectId);
  const role = projectId === null ? undefined : account.roles[projectId];
  if (!project || !role)
    throw new MixpanelError(403, `Service account ${account.username} does not have access to project ${String(projectId)}`);
  if (!roles.includes(role))
    throw new MixpanelError(403, `Service account ${account.username} does not have the permission to do this (role: ${role})`);
  return project;
}

/** Rejects queries in another region than the project's. Imports are not rejected. */
export function requireResidency(project: Project, residency: Residency): void {
  if (project.residency !== residency) throw new MixpanelError(400, 'request failed with error: invalid project id for cluster.');
}
