import { createSign, generateKeyPairSync } from 'node:crypto';
import { startSandbox } from '../src/server.ts';
import type { Json } from './google.ts';

/** The product's calls to BigQuery over HTTP, for the tests. */
export const scope = 'https://www.googleapis.com/auth/bigquery';
export const project = 'northwind-marketing';

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

export interface KeyFile {
  client_email: string;
  private_key: string;
  private_key_id: string;
  token_uri: string;
}

export const adsFields = [
  { name: 'account_id', type: 'STRING', mode: 'REQUIRED', description: 'Id of the account.' },
  { name: 'date', type: 'DATE', mode: 'REQUIRED' },
  { name: 'clicks', type: 'INT64' },
  { name: 'conversions', type: 'FLOAT64' },
  { name: 'is_brand', type: 'BOOL' },
  { name: 'seen_at', type: 'TIMESTAMP' },
];

export class BigQuery {
  readonly url: string;
  token = '';

  constructor(url: string) {
    this.url = url;
  }

  async keyFile(name = 'loader'): Promise<KeyFile> {
    return (await (await fetch(`${this.url}/admin/bigquery/service-account?name=${name}`)).json()) as KeyFile;
  }

  async requestToken(key: KeyFile, claims: object = {}): Promise<Answer> {
    const assertion = assertionOf(key, claims);
    const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
    return readAnswer(await fetch(`${this.url}/bigquery-api/token`, { method: 'POST', body }));
  }

  async signIn(name = 'loader'): Promise<void> {
    this.token = String((await this.requestToken(await this.keyFile(name))).body.access_token);
  }

  async call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const url = path.startsWith('/upload')
      ? `${this.url}/bigquery-api${path}`
      : `${this.url}/bigquery-api/bigquery/v2/projects/${path}`;
    return readAnswer(
      await fetch(url, {
        method,
        headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  }

  async makeDataset(datasetId: string, location = 'EU', projectId = project): Promise<Answer> {
    return this.call('POST', `${projectId}/datasets`, { datasetReference: { datasetId }, location });
  }

  async makeTable(datasetId: string, tableId: string, more: object = {}, projectId = project): Promise<Answer> {
    const body = { tableReference: { tableId }, schema: { fields: adsFields }, ...more };
    return this.call('POST', `${projectId}/datasets/${datasetId}/tables`, body);
  }

  async query(query: string, more: object = {}, projectId = project): Promise<Answer> {
    return this.call('POST', `${projectId}/queries`, { query, useLegacySql: false, location: 'EU', ...more });
  }

  /** The rows of a SELECT as lists of texts, or the message of its error. */
  async select(query: string, parameters: Record<string, [string, string]> = {}): Promise<(string | null)[][] | string> {
    const queryParameters = Object.entries(parameters).map(([name, [type, value]]) => ({
      name,
      parameterType: { type },
      parameterValue: { value },
    }));
    const { status, body } = await this.query(query, { queryParameters, parameterMode: 'NAMED' });
    return status === 200 ? valuesOf(body) : String(body.error?.message);
  }

  async startLoad(jobId: string, tableId: string, rows: string | Buffer, load: object = {}): Promise<Answer> {
    const metadata = {
      configuration: { load: loadOf(tableId, load) },
      jobReference: { projectId: project, jobId, location: 'EU' },
    };
    const head = `--mark\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(metadata)}\r\n--mark\r\nContent-Type: application/octet-stream\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), Buffer.from(rows), Buffer.from('\r\n--mark--')]);
    return readAnswer(
      await fetch(`${this.url}/bigquery-api/upload/bigquery/v2/projects/${project}/jobs?uploadType=multipart`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.token}`, 'content-type': 'multipart/related; boundary=mark' },
        body,
      }),
    );
  }

  /** Waits for the job's end and returns it. */
  async finished(jobId: string): Promise<Json> {
    for (;;) {
      const { body } = await this.call('GET', `${project}/jobs/${jobId}?location=EU`);
      if (String(body.status?.state) === 'DONE') return body;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async load(jobId: string, tableId: string, rows: string | Buffer, load: object = {}): Promise<Json> {
    await this.startLoad(jobId, tableId, rows, load);
    return this.finished(jobId);
  }

  async admin(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<Answer> {
    return readAnswer(await fetch(`${this.url}/admin/${path}`, { method, ...(body && { body: JSON.stringify(body) }) }));
  }

  fault(fault: string, parameters: object = {}): Promise<Answer> {
    return this.admin('faults', { provider: 'bigquery', fault, ...parameters });
  }
}

export function loadOf(tableId: string, load: object = {}): object {
  return {
    destinationTable: { projectId: project, datasetId: 'ads', tableId },
    sourceFormat: 'NEWLINE_DELIMITED_JSON',
    ...load,
  };
}

export function assertionOf(key: KeyFile, claims: object = {}): string {
  const now = Math.floor(Date.now() / 1_000);
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const payload = { iss: key.client_email, scope, aud: key.token_uri, iat: now, exp: now + 3_600, ...claims };
  const text = `${encode({ alg: 'RS256', typ: 'JWT', kid: key.private_key_id })}.${encode(payload)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key.private_key).toString('base64url')}`;
}

export function anotherKey(): string {
  return generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function valuesOf(body: Json): (string | null)[][] {
  const rows = (body.rows ?? []) as unknown as { f: { v: string | null }[] }[];
  return rows.map(({ f }) => f.map(({ v }) => v));
}

async function readAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text();
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Json, headers: answer.headers };
}

export async function startBigQuery(
  settings: Parameters<typeof startSandbox>[0] = {},
): Promise<BigQuery & { close: () => Promise<void> }> {
  const { url, close } = await startSandbox(settings);
  const bigQuery = new BigQuery(url);
  await bigQuery.signIn();
  return Object.assign(bigQuery, { close });
}

/** `reason status` of an answer that is an error, or its status. */
export function errorOf({ status, body }: Answer): string {
  const reason = (body.error as unknown as { errors?: { reason: string }[] } | undefined)?.errors?.[0]?.reason;
  return reason ? `${status} ${reason}` : String(status);
}
