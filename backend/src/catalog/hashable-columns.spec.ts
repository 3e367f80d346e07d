import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../test/app.js';
import { aUser, expectStatus } from '../../test/factories.js';
import type { Catalog, CatalogColumn } from './catalog.dto.js';

let app: TestApp;
let columns: CatalogColumn[];

beforeAll(async () => {
  app = await startTestApp();
  const call = app.http.as(await aUser(app));
  const { connectors } = expectStatus(await call.get<Catalog>('/api/v1/catalog'), 200).body;
  columns =
    connectors.find(({ provider }) => provider === 'google_ads')?.streams.find(({ name }) => name === 'campaign_daily')
      ?.columns ?? [];
});
afterAll(() => app?.stop());

it.each([
  ['campaign_name', true],
  ['campaign_id', false],
  ['currency', false],
  ['conversions', false],
  ['date', false],
])('the catalog says whether %s can be hashed: %s', (name, canHash) => {
  expect(columns.find((column) => column.name === name)).toMatchObject({ canHash });
});
