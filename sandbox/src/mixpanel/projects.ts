export const residencies = ['us', 'eu', 'in'] as const;
export type Residency = (typeof residencies)[number];

export interface Project {
  id: string;
  name: string;
  residency: Residency;
  timeZone: string;
  /** Before 2023 Mixpanel stored events in the project's own time; since then in UTC. */
  isStoredInProjectTime: boolean;
  /** On the Free plan the Query API returns 402; import and raw export work. */
  plan: 'free' | 'growth';
  /** Can be used instead of a service account at /import. */
  token: string;
  /** Contains purchases of a web shop from the start. */
  hasPurchases: boolean;
}

export type Role = 'admin' | 'analyst';

export interface ServiceAccount {
  username: string;
  secret: string;
  description: string;
  isExpired: boolean;
  /** By project id. */
  roles: Partial<Record<string, Role>>;
}

const destination = { hasPurchases: false };
const shop = { hasPurchases: true };

export const projects: ReadonlyMap<string, Project> = new Map(
  (
    [
      {
        id: '3100001',
        name: 'Northwind Web',
        residency: 'us',
        timeZone: 'America/Los_Angeles',
        isStoredInProjectTime: false,
        plan: 'growth',
        token: '5f0c1e2d3b4a59687786a5b4c3d2e1f0',
        ...destination,
      },
      {
        id: '3100002',
        name: 'Northwind Europe',
        residency: 'eu',
        timeZone: 'Europe/Berlin',
        isStoredInProjectTime: true,
        plan: 'growth',
        token: '0a1b2c3d4e5f60718293a4b5c6d7e8f9',
        ...destination,
      },
      {
        id: '3100003',
        name: 'Northwind Free',
        residency: 'us',
        timeZone: 'America/Los_Angeles',
        isStoredInProjectTime: false,
        plan: 'free',
        token: '1b2c3d4e5f60718293a4b5c6d7e8f90a',
        ...destination,
      },
      {
        id: '3100004',
        name: 'Northwind Shop',
        residency: 'eu',
        timeZone: 'Europe/Berlin',
        isStoredInProjectTime: false,
        plan: 'growth',
        token: '2c3d4e5f60718293a4b5c6d7e8f90a1b',
        ...shop,
      },
      {
        id: '3100005',
        name: 'Northwind Shop America',
        residency: 'us',
        timeZone: 'America/Los_Angeles',
        isStoredInProjectTime: true,
        plan: 'growth',
        token: '3d4e5f60718293a4b5c6d7e8f90a1b2c',
        ...shop,
      },
    ] satisfies Project[]
  ).map((project) => [project.id, project]),
);

export const serviceAccounts: ReadonlyMap<string, ServiceAccount> = new Map(
  (
    [
      {
        username: 'loader.f5a1c2.mp-service-account',
        secret: 'sandbox-loader-secret',
        description: 'Admin of all projects',
        isExpired: false,
        roles: { '3100001': 'admin', '3100002': 'admin', '3100003': 'admin' },
      },
      {
        username: 'reader.9b07de.mp-service-account',
        secret: 'sandbox-reader-secret',
        description: 'Analyst of 3100001: can export but not import',
        isExpired: false,
        roles: { '3100001': 'analyst' },
      },
      {
        username: 'shop.77c0de.mp-service-account',
        secret: 'sandbox-shop-secret',
        description: 'Admin of the shops 3100004 and 3100005',
        isExpired: false,
        roles: { '3100004': 'admin', '3100005': 'admin' },
      },
      {
        username: 'expired.1d44b8.mp-service-account',
        secret: 'sandbox-expired-secret',
        description: 'Admin of both projects until it expired',
        isExpired: true,
        roles: { '3100001': 'admin', '3100002': 'admin' },
      },
    ] satisfies ServiceAccount[]
  ).map((account) => [account.username, account]),
);
