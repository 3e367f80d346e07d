import type { Sandbox } from './connectors/sandbox-process.js';
import { expectStatus } from './factories.js';
import type { PlatformScenario, Sums } from './platform-scenario.js';

const PROJECT = 'northwind-marketing';

interface ListedTable {
  tableReference: { tableId: string };
  expirationTime?: string;
}

export interface StoredTable {
  creationTime: string;
  labels: Record<string, string>;
  schema: { fields: { name: string; type: string; mode?: string; description?: string }[] };
}

/** One table in a BigQuery dataset of an organization, as its owner sees it in the console. */
export class BigQueryTable {
  private constructor(
    private readonly scenario: PlatformScenario,
    private readonly sandbox: Sandbox,
    private readonly token: string,
    readonly name: string,
  ) {}

  static async create(scenario: PlatformScenario, sandbox: Sandbox, name: string): Promise<BigQueryTable> {
    const { accessToken } = await sandbox.signIn('demo@example.com', ['https://www.googleapis.com/auth/bigquery']);
    return new BigQueryTable(scenario, sandbox, accessToken, name);
  }

  get datasetId(): string {
    return `ads_${this.scenario.organization.id.slice(-8)}`;
  }

  /** `dataset.table`, for queries. */
  get qualifiedName(): string {
    return `${this.datasetId}.${this.name}`;
  }

  /** A destination that loads into the dataset; returns its id. */
  async aDestination(): Promise<string> {
    const { call, path } = this.scenario.organization;
    const key = await this.sandbox.admin<object>('bigquery/service-account?name=loader');
    const body = {
      provider: 'bigquery',
      name: 'BigQuery',
      settings: { projectId: PROJECT, datasetId: this.datasetId, location: 'EU' },
      credentials: { serviceAccountKey: JSON.stringify(key) },
    };
    return expectStatus(await call.post<{ id: string }>(`${path}/destinations`, body), 201).body.id;
  }

  /** The rows of a query, every value as text. */
  async query(query: string): Promise<(string | null)[][]> {
    const answer = await this.call<{ rows?: { f: { v: string | null }[] }[] }>('POST', '/queries', {
      ...{ query, useLegacySql: false, location: 'EU' },
    });
    return (answer.rows ?? []).map(({ f }) => f.map(({ v }) => v));
  }

  async call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const answer = await fetch(`${this.sandbox.url}/bigquery-api/bigquery/v2/projects/${PROJECT}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return (text === '' ? {} : JSON.parse(text)) as Body;
  }

  stored(): Promise<StoredTable> {
    return this.call<StoredTable>('GET', `/datasets/${this.datasetId}/tables/${this.name}`);
  }

  /** Without staging tables that expire: a worker that is killed during a load leaves one. */
  async tables(): Promise<string[]> {
    const { tables = [] } = await this.call<{ tables?: ListedTable[] }>('GET', `/datasets/${this.datasetId}/tables`);
    const isStaged = ({ tableReference, expirationTime }: ListedTable) =>
      expirationTime !== undefined && tableReference.tableId.startsWith('_tributary_load_');
    return tables.filter((table) => !isStaged(table)).map(({ tableReference }) => tableReference.tableId);
  }

  sums(accountId: string, from: string, to: string): Promise<Sums> {
    const place = { projectId: PROJECT, datasetId: this.datasetId, tableId: this.name };
    return this.sandbox.admin<Sums>(`bigquery/totals?${new URLSearchParams({ ...place, accountId, from, to })}`);
  }

  fault(fault: string, parameters: object = {}): Promise<void> {
    return this.sandbox.addFault({ provider: 'bigquery', fault, ...parameters });
  }

  /** The jobs whose id has this part, newest first. */
  async jobs(part: string): Promise<{ id: string; state: string; errorResult?: { reason: string } }[]> {
    const { jobs } = await this.call<{ jobs: { id: string; state: string }[] }>('GET', '/jobs');
    return jobs.filter(({ id }) => id.includes(part));
  }
}
