/** The steps of each check in order, shown until the response arrives. The labels match those of the connectors. */
const steps: Record<string, string[]> = {
  postgresql: [
    'Server reachable',
    'TLS as configured',
    'Credentials accepted',
    'Database exists',
    'PostgreSQL 15 or newer',
    'Schema available',
    'Can create tables',
    'Can read back rows',
  ],
  bigquery: [
    'Credentials accepted',
    'Project available',
    'Dataset available',
    'Dataset location matches',
    'Can create tables',
    'Can load rows',
    'Can read back rows',
    'Can replace rows',
    'Can delete tables',
  ],
  mixpanel: ['Credentials accepted', 'Project accessible', 'Data residency matches', 'Can import events', 'Can read back events'],
};

export const checkStepsOf = (provider: string): string[] => steps[provider] ?? ['Destination reachable'];

/** A role that the destination requires, and the steps of its check that need it. */
export interface RequiredRole {
  name: string;
  on: string;
  codes: string[];
}

/** https://cloud.google.com/bigquery/docs/access-control, https://docs.mixpanel.com/docs/orgs-and-projects/roles-and-permissions */
const roles: Record<string, RequiredRole[]> = {
  bigquery: [
    { name: 'BigQuery Job User', on: 'on the project', codes: ['loads', 'queries'] },
    {
      name: 'BigQuery Data Editor',
      on: 'on the dataset, or on the project if the dataset is to be created',
      codes: ['dataset', 'creates_tables', 'replaces', 'deletes_tables'],
    },
  ],
  mixpanel: [{ name: 'Admin or Owner', on: 'of the project. Only these roles can import', codes: ['imports', 'reads_back'] }],
};

export const requiredRolesOf = (provider: string): RequiredRole[] => roles[provider] ?? [];

type StepState = 'passed' | 'failed' | 'skipped';

/** `missing` when a step of the role failed, `given` when all passed, otherwise `unknown`. */
export function roleState({ codes }: RequiredRole, items: { code: string; state: StepState }[]): 'given' | 'missing' | 'unknown' {
  const states = codes.map((code) => items.find((item) => item.code === code)?.state ?? 'skipped');
  if (states.includes('failed')) return 'missing';
  return states.every((state) => state === 'passed') ? 'given' : 'unknown';
}
