/** The steps of each check, in its order, for the time until the answer comes. */
const steps: Record<string, string[]> = {
  postgresql: [
    'Server reachable',
    'Encryption',
    'Credentials accepted',
    'Database exists',
    'PostgreSQL 15 or newer',
    'Schema available',
    'Can create tables',
    'Read-back matches',
  ],
  bigquery: [
    'Credentials accepted',
    'Project available',
    'Dataset available',
    'Dataset location matches',
    'Can create tables',
    'Can load rows',
    'Read-back matches',
    'Can replace rows',
    'Can delete tables',
  ],
  mixpanel: ['Credentials accepted', 'Project accessible', 'Data residency matches', 'Can import events', 'Can read back events'],
};

export const checkStepsOf = (provider: string): string[] => steps[provider] ?? ['Destination reachable'];

/** A role the destination asks for, and the steps of its check that need it. */
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
      on: 'on the dataset, or on the project to have it made',
      codes: ['dataset', 'creates_tables', 'replaces', 'deletes_tables'],
    },
  ],
  mixpanel: [{ name: 'Admin or Owner', on: 'of the project: only these may import', codes: ['imports', 'reads_back'] }],
};

export const requiredRolesOf = (provider: string): RequiredRole[] => roles[provider] ?? [];

type StepState = 'passed' | 'failed' | 'skipped';

/** Missing when one of its steps failed, given when all of them passed, otherwise not known yet. */
export function roleState({ codes }: RequiredRole, items: { code: string; state: StepState }[]): 'given' | 'missing' | 'unknown' {
  const states = codes.map((code) => items.find((item) => item.code === code)?.state ?? 'skipped');
  if (states.includes('failed')) return 'missing';
  return states.every((state) => state === 'passed') ? 'given' : 'unknown';
}
