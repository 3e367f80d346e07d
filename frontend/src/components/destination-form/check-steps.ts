/** The steps of each check, in its order, for the time until the answer comes. */
const steps: Record<string, string[]> = {
  postgresql: [
    'The server answers',
    'Encryption',
    'The user may sign in',
    'The database exists',
    'PostgreSQL 15 or newer',
    'The schema exists or can be made',
    'Tables can be made',
    'What was written can be read back',
  ],
  bigquery: [
    'Google accepts the account',
    'The project exists and may be used',
    'The dataset exists or can be made',
    'The dataset lies where the settings say',
    'Tables can be made',
    'Rows can be loaded',
    'What was loaded can be read back',
    'Rows can be replaced',
    'Tables can be deleted',
  ],
  mixpanel: [
    'The service account is accepted',
    'It reaches the project',
    'The project lives in the chosen region',
    'It may import events',
    'What was sent can be read back',
  ],
};

export const checkStepsOf = (provider: string): string[] => steps[provider] ?? ['The destination answers'];

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
