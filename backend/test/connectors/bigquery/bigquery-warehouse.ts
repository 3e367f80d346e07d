import { bigqueryConnector } from '../../../src/connectors/bigquery/index.js';
import type { BigQuerySettings, Pace } from '../../../src/connectors/bigquery/settings.js';
import type { DestinationCredentials } from '../../../src/connectors/kit/connector.js';
import type { Destination, Stream } from '../../../src/connectors/kit/contract.js';
import { campaignDaily } from '../rows.js';
import { startSandbox, type Sandbox } from '../sandbox-process.js';

/** The sandbox's BigQuery as a warehouse: one dataset per test file. */
export interface BigQueryWarehouse {
  sandbox: Sandbox;
  settings: BigQuerySettings;
  destinationSettings: Record<string, unknown>;
  /** The text of a key file. */
  keyFile(name?: string): Promise<string>;
  open(overrides?: Overrides): Promise<Destination>;
  fault(fault: string, parameters?: object): Promise<void>;
  /** The content of a table, read past the API and its faults. Default: the campaign table. */
  rows(table?: string, datasetId?: string): Promise<Record<string, string | number | null>[]>;
  table(table?: string): Promise<Record<string, unknown> | null>;
  tables(): Promise<string[]>;
  /** Calls BigQuery directly, as the account with the most permissions. */
  call(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  query(query: string): Promise<void>;
  requests(): Promise<{ path?: string; method?: string; status?: number; query?: Record<string, string> }[]>;
}

export interface Overrides {
  settings?: Record<string, unknown>;
  access?: DestinationCredentials;
  pace?: Partial<Pace>;
  operator?: Partial<BigQuerySettings>;
}

const project = 'northwind-marketing';

export async function startBigQuery(): Promise<BigQueryWarehouse> {
  const sandbox = await startSandbox();
  const settings: BigQuerySettings = {
    baseUrl: `${sandbox.url}/bigquery-api`,
    tokenUrl: `${sandbox.url}/bigquery-api/token`,
    now: () => new Date(),
    pace: { retryMs: 5, pollMs: 20 },
  };
  const destinationSettings = { projectId: project, datasetId: 'ads', location: 'EU' };
  const keyFile = async (name = 'loader') => (await fetch(`${sandbox.url}/admin/bigquery/service-account?name=${name}`)).text();
  const serviceAccount = async (name?: string): Promise<DestinationCredentials> => ({
    authMode: 'service_account',
    credentials: { serviceAccountKey: await keyFile(name) },
  });
  const owner = await sandbox.signIn('demo@example.com', ['https://www.googleapis.com/auth/bigquery']);
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${settings.baseUrl}/bigquery/v2/projects/${project}${path}`, {
      method,
      headers: { authorization: `Bearer ${owner.accessToken}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
  const find = async (path: string) => {
    const found = await call('GET', path);
    return 'error' in found ? null : found;
  };
  return {
    sandbox,
    settings,
    destinationSettings,
    keyFile,
    call,
    open: async ({ settings: given, access, pace, operator }: Overrides = {}) =>
      bigqueryConnector({ ...settings, ...operator, pace: { ...settings.pace, ...pace } }, sandbox.oauth).open(
        { ...destinationSettings, ...given },
        access ?? (await serviceAccount()),
      ),
    fault: (fault, parameters = {}) => sandbox.addFault({ provider: 'bigquery', fault, ...parameters }),
    rows: async (table = campaignDaily.table, datasetId = 'ads') => {
      const where = `projectId=${project}&datasetId=${datasetId}&tableId=${table}`;
      const answer = (await (await fetch(`${sandbox.url}/admin/bigquery/rows?${where}`)).json()) as {
        rows: Record<string, string | number | null>[];
      };
      return answer.rows;
    },
    table: (table = campaignDaily.table) => find(`/datasets/ads/tables/${table}`),
    tables: async () =>
      (((await call('GET', '/datasets/ads/tables'))['tables'] ?? []) as { tableReference: { tableId: string } }[]).map(
        ({ tableReference }) => tableReference.tableId,
      ),
    query: async (query) => {
      const answer = await call('POST', '/queries', { query, useLegacySql: false, location: 'EU' });
      if ('error' in answer) throw new Error(JSON.stringify(answer['error']));
    },
    requests: async () =>
      (
        (await (await fetch(`${sandbox.url}/admin/requests?provider=bigquery&limit=2000`)).json()) as {
          requests: { path?: string }[];
        }
      ).requests,
  };
}

/** The stream without one column, like an older version of it. */
export const without = (stream: Stream, column: string): Stream => ({
  ...stream,
  columns: stream.columns.filter(({ name }) => name !== column),
});
