import { users } from '../google-ads/accounts.ts';
import { accessDenied, notFound } from './errors.ts';

export interface Project {
  id: string;
  number: string;
  friendlyName: string;
  /** Without billing, BigQuery loads and reads but does not change rows with queries. */
  hasBilling: boolean;
}

export const projects = new Map<string, Project>(
  [
    { id: 'northwind-marketing', number: '510000000001', friendlyName: 'Northwind Marketing', hasBilling: true },
    { id: 'northwind-free', number: '510000000002', friendlyName: 'Northwind without billing', hasBilling: false },
  ].map((project) => [project.id, project]),
);

type Role = 'dataOwner' | 'dataEditor' | 'dataViewer' | 'jobUser';

const viewing = ['datasets.get', 'tables.get', 'tables.list', 'tables.getData', 'tables.getIamPolicy'];
const editing = [...viewing, 'datasets.create', 'tables.create', 'tables.update', 'tables.delete', 'tables.updateData'];
/** Permissions of the predefined roles, as far as the sandbox checks them. */
const permissionsOf: Record<Role, string[]> = {
  dataViewer: viewing,
  dataEditor: editing,
  // https://cloud.google.com/bigquery/docs/access-control#bigquery.dataOwner
  dataOwner: [
    ...editing,
    ...['datasets.update', 'datasets.delete'],
    ...['rowAccessPolicies.list', 'rowAccessPolicies.create', 'tables.setIamPolicy'],
  ],
  jobUser: ['jobs.create'],
};

export interface Principal {
  email: string;
  roles: Role[];
  description: string;
}

/** Service accounts. The key of each is available at `/admin/bigquery/service-account?name=`. */
export const serviceAccounts = new Map<string, Principal>(
  Object.entries({
    loader: { roles: ['dataEditor', 'jobUser'] as Role[], description: 'Creates datasets and tables, loads and queries' },
    viewer: { roles: ['dataViewer', 'jobUser'] as Role[], description: 'Reads and queries, changes nothing' },
    storage: { roles: ['dataEditor'] as Role[], description: 'Creates tables, but cannot start jobs' },
  }).map(([name, principal]) => [name, { ...principal, email: `${name}@northwind-marketing.iam.gserviceaccount.com` }]),
);

const userRoles: Record<string, Role[]> = {
  'demo@example.com': ['dataOwner', 'jobUser'],
  'limited@example.com': ['dataViewer', 'jobUser'],
};

export function findPrincipal(email: string): Principal | null {
  const account = [...serviceAccounts.values()].find((one) => one.email === email);
  if (account) return account;
  return users.has(email) ? { email, roles: userRoles[email] ?? [], description: '' } : null;
}

export function findProject(projectId: string): Project {
  const project = projects.get(projectId);
  if (!project) throw notFound(`Project ${projectId}`);
  return project;
}

/** The creator of a dataset owns it. */
export function may(principal: Principal, permission: string, creator?: string): boolean {
  const roles = creator === principal.email ? [...principal.roles, 'dataOwner' as const] : principal.roles;
  return roles.some((role) => permissionsOf[role].includes(permission));
}

export function demandInProject(principal: Principal, permission: string, projectId: string): void {
  if (may(principal, permission)) return;
  const name = `bigquery.${permission}`;
  throw accessDenied(`Project ${projectId}: User does not have ${name} permission in project ${projectId}.`);
}

export function demandInDataset(principal: Principal, permission: string, dataset: string, creator?: string): void {
  if (may(principal, permission, creator)) return;
  const message = `Permission bigquery.${permission} denied on dataset ${dataset} (or it may not exist).`;
  throw accessDenied(`Dataset ${dataset}: ${message}`);
}
