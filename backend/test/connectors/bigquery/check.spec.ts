import { createServer } from 'node:http';
import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bigqueryConnector } from '../../../src/connectors/bigquery/index.js';
import { startBigQuery, type BigQueryWarehouse, type Overrides } from './bigquery-warehouse.js';
import { aContext } from '../context.js';

let warehouse: BigQueryWarehouse;

beforeAll(async () => {
  warehouse = await startBigQuery();
});
afterEach(() => warehouse.sandbox.clearFaults());
afterAll(() => warehouse.sandbox.stop());

const withKey = (serviceAccountKey: string): Overrides => ({
  access: { authMode: 'service_account', credentials: { serviceAccountKey } },
});
const changedKey = async (change: object): Promise<Overrides> =>
  withKey(JSON.stringify({ ...(JSON.parse(await warehouse.keyFile()) as object), ...change }));
const check = async (overrides: Overrides = {}) => (await warehouse.open(overrides)).check(aContext());

/** The failed item. All items after it are skipped. */
async function failureOf(overrides: Overrides) {
  const items = await check(overrides);
  const index = items.findIndex(({ state }) => state === 'failed');
  expect(items.slice(index + 1).every(({ state }) => state === 'skipped')).toBe(true);
  expect(JSON.stringify(items)).not.toMatch(/PRIVATE KEY|ya29/);
  return items[index];
}

describe('the key of a service account', () => {
  it('is rejected with another token address, and nothing is sent there', async () => {
    let hits = 0;
    const server = createServer((_, response) => {
      hits += 1;
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const token_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
    const before = (await warehouse.requests()).length;
    expect(await failureOf(await changedKey({ token_uri }))).toMatchObject({
      code: 'signs_in',
      detail: expect.stringContaining('token address'),
      action: expect.stringContaining('Google Cloud'),
    });
    expect([hits, (await warehouse.requests()).length]).toEqual([0, before]);
    server.close();
  });

  it('fails when Google rejects it', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    expect(await failureOf(await changedKey({ private_key }))).toMatchObject({
      code: 'signs_in',
      detail: expect.stringContaining('deleted or replaced'),
      action: expect.stringContaining('new key'),
    });
  });

  it('fails when it is incomplete', async () => {
    expect(await failureOf(await changedKey({ private_key: '-----BEGIN PRIVATE KEY-----\nabc' }))).toMatchObject({
      code: 'signs_in',
      detail: expect.stringContaining('is invalid'),
    });
  });

  it('fails when its account was deleted', async () => {
    await warehouse.fault('delete_account');
    expect(await failureOf({})).toMatchObject({ code: 'signs_in', action: expect.stringContaining('another service account') });
  });

  it('reports a wrong clock of the installation instead of a wrong key', async () => {
    const now = () => new Date(Date.now() - 2 * 3_600_000);
    expect(await failureOf({ operator: { now } })).toMatchObject({ code: 'signs_in', action: expect.stringContaining('clock') });
  });

  it.each(['', 'not JSON', '{"type":"authorized_user"}', '[]'])('is rejected by the form if it is %j', (serviceAccountKey) => {
    const [kind] = bigqueryConnector(warehouse.settings, null).credentialKinds;
    expect(kind?.schema?.safeParse({ serviceAccountKey }).success).toBe(false);
  });

  it('describes the account and the target', async () => {
    const connector = bigqueryConnector(warehouse.settings, null);
    const credentials = { serviceAccountKey: await warehouse.keyFile() };
    expect(connector.describe(warehouse.destinationSettings, credentials)).toEqual({
      appName: 'loader@northwind-marketing.iam.gserviceaccount.com',
      credentialHint: 'loader@northwind-marketing.iam.gserviceaccount.com',
      target: 'northwind-marketing.ads',
    });
    expect(JSON.stringify(connector.describe(warehouse.destinationSettings, credentials))).not.toContain('PRIVATE');
  });
});

describe('the check', () => {
  it('reports a missing project', async () => {
    expect(await failureOf({ settings: { projectId: 'no-such-project' } })).toMatchObject({
      code: 'project',
      detail: expect.stringContaining('no-such-project'),
    });
  });

  it.each([
    ['viewer', 'dataset', 'BigQuery Data Editor'],
    ['storage', 'loads', 'BigQuery Job User'],
  ])('names the missing role of %s', async (name, code, role) => {
    expect(
      await failureOf({ ...withKey(await warehouse.keyFile(name)), settings: { datasetId: `roles_${name}` } }),
    ).toMatchObject({
      code,
      action: expect.stringContaining(role),
    });
  });

  it('quotes a service perimeter that excludes this installation, instead of naming a missing role', async () => {
    const message =
      "VPC Service Controls: Request is prohibited by organization's policy. vpcServiceControlsUniqueIdentifier: x1";
    await warehouse.fault('job_fails', { resource: 'load', reason: 'policyViolation', message });
    expect(await failureOf({})).toMatchObject({
      code: 'loads',
      detail: `A security policy of Google Cloud blocks access to "northwind-marketing". BigQuery: "${message}".`,
      action: 'Allow this installation in the service perimeter',
      failureClass: 'permission',
    });
  });

  it('reports a dataset in another location', async () => {
    await warehouse.call('POST', '/datasets', { datasetReference: { datasetId: 'american' }, location: 'US' });
    expect(await failureOf({ settings: { datasetId: 'american' } })).toMatchObject({
      code: 'location',
      detail: expect.stringContaining('is in US, not in EU'),
      action: expect.stringContaining('Set the location to US'),
    });
  });

  it('reports a missing billing account, even though loading works', async () => {
    expect(await failureOf({ settings: { projectId: 'northwind-free', datasetId: 'ads' } })).toMatchObject({
      code: 'replaces',
      detail: expect.stringContaining('no billing account'),
    });
  });

  it('reports that Google is unreachable', async () => {
    await warehouse.fault('down', { endpoint: 'token' });
    expect(await failureOf({})).toMatchObject({ code: 'signs_in', state: 'failed' });
  });

  it('passes all items in the configured location and leaves nothing behind', async () => {
    const items = await check({ settings: { datasetId: 'checked', location: 'europe-west3' } });
    expect(items.map(({ code, state, detail }) => [code, state, detail])).toEqual([
      ['signs_in', 'passed', null],
      ['project', 'passed', 'northwind-marketing'],
      ['dataset', 'passed', 'checked will be created'],
      ['location', 'passed', 'europe-west3'],
      ['creates_tables', 'passed', null],
      ['loads', 'passed', null],
      ['queries', 'passed', null],
      ['replaces', 'passed', null],
      ['deletes_tables', 'passed', null],
    ]);
    expect(await warehouse.call('GET', '/datasets/checked')).toHaveProperty('error');
  });

  it('passes for concurrent checks, one of which creates and deletes the dataset', async () => {
    for (const round of [1, 2, 3, 4, 5]) {
      const checks = Array.from({ length: 6 }, () => check({ settings: { datasetId: `shared_${round}` } }));
      const failed = (await Promise.all(checks)).flat().filter(({ state }) => state !== 'passed');
      expect(failed).toEqual([]);
    }
  });

  it('keeps an existing dataset and leaves nothing in it, even if a step fails', async () => {
    await warehouse.call('POST', '/datasets', { datasetReference: { datasetId: 'ads' }, location: 'EU' });
    expect((await check()).every(({ state }) => state === 'passed')).toBe(true);
    await warehouse.fault('job_fails', { resource: 'load', reason: 'invalid' });
    expect(await failureOf({})).toMatchObject({ code: 'loads' });
    expect(await warehouse.tables()).toEqual([]);
  });
});
