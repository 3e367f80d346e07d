import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Storage, type CreateWriteStreamOptions } from '@google-cloud/storage';
import { OAuth2Client } from 'google-auth-library';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startBigQuery, type BigQueryWarehouse } from './bigquery-warehouse.js';
import { aContext } from '../context.js';

const project = 'northwind-marketing';
const chunkSize = 256 * 1024;
const rows = 40_000;
const body = Buffer.from(Array.from({ length: rows }, (_, number) => `{"number":"${number}"}\n`).join(''));

let warehouse: BigQueryWarehouse;
let accessToken: string;
let storage: Storage;

beforeAll(async () => {
  warehouse = await startBigQuery();
  await (await warehouse.open()).prepare(aContext(), []);
  ({ accessToken } = await warehouse.sandbox.signIn('demo@example.com', ['https://www.googleapis.com/auth/bigquery']));
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: accessToken, expiry_date: Date.now() + 3_000_000 });
  storage = new Storage({ authClient: authClient as never, projectId: project });
});
afterEach(() => warehouse.sandbox.clearFaults());
afterAll(() => warehouse.sandbox.stop());

/** The address of an upload for a new load job. */
async function startUpload(name: string): Promise<string> {
  const tableReference = { projectId: project, datasetId: 'ads', tableId: name };
  const schema = { fields: [{ name: 'number', type: 'INTEGER' }] };
  await warehouse.call('POST', '/datasets/ads/tables', { tableReference, schema });
  const load = { destinationTable: tableReference, sourceFormat: 'NEWLINE_DELIMITED_JSON' };
  const job = { jobReference: { projectId: project, jobId: name, location: 'EU' }, configuration: { load } };
  const answer = await fetch(`${warehouse.settings.baseUrl}/upload/bigquery/v2/projects/${project}/jobs?uploadType=resumable`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(job),
  });
  return answer.headers.get('location') ?? '';
}

/**
 * Google's own library for resumable uploads, made for Cloud Storage. The protocol is the same, and it accepts a started upload.
 */
async function send(uri: string): Promise<void> {
  const options: CreateWriteStreamOptions = { uri, resumable: true, chunkSize, validation: false };
  await pipeline(Readable.from([body]), storage.bucket('none').file('none').createWriteStream(options));
}

async function loadedRows(name: string): Promise<unknown> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const job = (await warehouse.call('GET', `/jobs/${name}?location=EU`)) as {
      status: { state: string };
      statistics: { load?: { outputRows: string } };
    };
    if (job.status.state === 'DONE') return job.statistics.load?.outputRows;
    if (Date.now() > deadline) throw new Error(JSON.stringify(job));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const statuses = async (): Promise<(number | undefined)[]> =>
  (await warehouse.requests()).filter(({ method }) => method === 'PUT').map(({ status }) => status);

it("Google's library uploads in parts, and a load job accepts them", async () => {
  await send(await startUpload('whole'));
  expect(await loadedRows('whole')).toBe(String(rows));
  // The first request queries how much has arrived. Each part except the last returns 308.
  expect(await statuses()).toEqual([...Array<number>(Math.ceil(body.length / chunkSize)).fill(308), 200]);
});

it("Google's library resumes a part that was stored only partially", async () => {
  await warehouse.fault('partial_upload', { times: 1 });
  await send(await startUpload('halved'));
  expect(await loadedRows('halved')).toBe(String(rows));
});

it("Google's library gets an error for an expired upload", async () => {
  const uri = await startUpload('lost');
  await warehouse.fault('lose_upload');
  await expect(send(uri)).rejects.toMatchObject({ code: 410 });
});
