import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Stream } from '../../../src/connectors/kit/contract.js';
import { RetryLater } from '../../../src/connectors/kit/errors.js';
import { sendRequest } from '../../../src/connectors/kit/http.js';
import { postgresqlDestination } from '../../../src/connectors/postgresql/index.js';
import { aContext } from '../context.js';
import { aRow, aSlice, campaignDaily, pagesOf } from '../rows.js';
import { ownNetwork, startWarehouse, type Warehouse } from '../warehouse.js';

let warehouse: Warehouse;

beforeAll(async () => {
  warehouse = await startWarehouse();
});
afterAll(() => warehouse.stop());

it('a bug in the PostgreSQL connector is not reported as a server error', async () => {
  const destination = postgresqlDestination(warehouse.settings, ownNetwork);
  await destination.prepare(aContext(), [campaignDaily]);
  // Simulates a new stream without a key.
  const { key: _key, ...forgetful } = campaignDaily as Stream & { key?: unknown };
  const slice = { ...aSlice(), stream: { ...forgetful, columns: undefined } as unknown as Stream };
  const fence = { runId: randomUUID(), leaseEpoch: 1n };
  await expect(destination.write(aContext(), slice, pagesOf([aRow()]), fence)).rejects.toThrow(TypeError);
  await destination.close();
});

it('a bug in a source passes unchanged through the destination', async () => {
  const destination = postgresqlDestination(warehouse.settings, ownNetwork);
  await destination.prepare(aContext(), [campaignDaily]);
  const mistake = new TypeError("Cannot read properties of undefined (reading 'metrics')");
  // eslint-disable-next-line require-yield -- the bug occurs before the first page
  const pages = (async function* () {
    throw mistake;
  })();
  const fence = { runId: randomUUID(), leaseEpoch: 1n };
  await expect(destination.write(aContext(), aSlice(), pages, fence)).rejects.toBe(mistake);
  await destination.close();
});

it('an invalid request is not reported as a network failure', async () => {
  const settings = { baseUrl: 'http://127.0.0.1:9', serviceName: 'Google Ads' };
  const unserializable = { method: 'POST' as const, path: '/', json: { rows: 1n } };
  await expect(sendRequest(settings, aContext(), unserializable)).rejects.toThrow(TypeError);
  await expect(sendRequest({ ...settings, baseUrl: 'nowhere' }, aContext(), { method: 'GET', path: '/' })).rejects.toThrow(
    'Failed to parse URL',
  );
  await expect(sendRequest(settings, aContext(), { method: 'GET', path: '/' })).rejects.toBeInstanceOf(RetryLater);
});
