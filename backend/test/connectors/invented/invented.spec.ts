import type { OpenAPIObject } from '@nestjs/swagger';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppEntry } from '../../../src/apps/apps.dto.js';
import type { Catalog } from '../../../src/catalog/catalog.dto.js';
import type { SourceEntry, SourcePage } from '../../../src/sources/sources.dto.js';
import type { RunDetail, RunPage } from '../../../src/sync/api/runs.dto.js';
import { AnswerValidator } from '../../answer-validator.js';
import type { TestApp } from '../../app.js';
import { aConnection, anOrganization, eventually, expectStatus, type Organization, utcDaysAgo } from '../../factories.js';
import { Http } from '../../http.js';
import { startWarehouse, type Warehouse } from '../warehouse.js';
import { ACCOUNT, type InventedPlatform, rowsOf, startInventedPlatform, VALID_KEY } from './invented-platform.js';
import { type ExtendedProduct, startProductWith } from './product-with-connector.js';

const PROVIDER = 'acme_ads';
const TABLE = 'acme_ads_campaign_daily';

let platform: InventedPlatform;
let warehouse: Warehouse;
let product: ExtendedProduct;
let document: OpenAPIObject;
let organization: Organization;

beforeAll(async () => {
  [platform, warehouse] = await Promise.all([startInventedPlatform(), startWarehouse()]);
  product = await startProductWith(PROVIDER, { ACME_ADS_BASE_URL: platform.url });
  document = (await (await fetch(`${product.url}/api/openapi.json`)).json()) as OpenAPIObject;
  const http = new Http(product.url, new AnswerValidator(document));
  organization = await anOrganization({ http } as TestApp);
});
afterAll(async () => {
  await product?.stop();
  await Promise.all([platform?.stop(), warehouse?.stop()]);
});
beforeEach(() => {
  platform.isTruncating = false;
});

const connect = (apiKey: string) =>
  organization.call.post<AppEntry>(`${organization.path}/apps`, { provider: PROVIDER, credentials: { apiKey } });

async function aSource(): Promise<SourceEntry> {
  const app = expectStatus(await connect(VALID_KEY), 201).body;
  const body = { appId: app.id, name: 'Acme', accountIds: [ACCOUNT] };
  return expectStatus(await organization.call.post<SourceEntry>(`${organization.path}/sources`, body), 201).body;
}

async function endedRun(connectionId: string): Promise<RunDetail> {
  const list = () => organization.call.get<RunPage>(`${organization.path}/runs?connectionId=${connectionId}`);
  const ended = await eventually(
    async () => (await list()).body.items[0],
    (run) => run?.endedAt !== null && run?.endedAt !== undefined,
  );
  return expectStatus(await organization.call.get<RunDetail>(`${organization.path}/runs/${ended?.id}`), 200).body;
}

describe('a connector that make connector generated', () => {
  it('is one folder, and no other file of the product changed', () => {
    expect(product.addedFiles.length).toBeGreaterThan(5);
    for (const file of product.addedFiles) expect(file).toMatch(/^src\/connectors\/acme-ads(\/|$)/);
  });

  it('is in the catalog with the form of its key', async () => {
    const { connectors } = expectStatus(await organization.call.get<Catalog>('/api/v1/catalog'), 200).body;
    expect(connectors.find(({ provider }) => provider === PROVIDER)).toMatchObject({
      name: 'Acme Ads',
      roles: ['source'],
      category: 'advertising',
      credentials: [{ authMode: 'api_key', schema: { properties: { apiKey: { title: 'API key', format: 'password' } } } }],
      streams: [{ name: 'campaign_daily', table: TABLE, verification: 'exact_rows' }],
    });
  });

  it('is in the API document of the instance', () => {
    const { provider } = (document.components?.schemas?.['AppEntry'] as { properties: Record<string, { enum: string[] }> })
      .properties;
    expect(provider?.enum).toContain(PROVIDER);
  });

  it('rejects a key that the platform does not accept, and a key that does not fit its form', async () => {
    expect(await connect('key-of-nobody')).toMatchObject({
      status: 422,
      body: { detail: 'Acme Ads does not accept the API key.', action: 'Enter a valid API key' },
    });
    expect(await connect('short')).toMatchObject({ status: 400, body: { code: 'request.invalid' } });
  });

  it('completes a verified run whose rows are those of the platform', async () => {
    const source = await aSource();
    const { body: listed } = await organization.call.get<SourcePage>(`${organization.path}/sources`);
    expect(listed.items.map(({ provider }) => provider)).toContain(PROVIDER);
    const connection = await aConnection(organization, warehouse, {
      sourceId: source.id,
      streams: ['campaign_daily'],
      historyDays: 12,
      lookbackDays: 3,
    });
    const run = await endedRun(connection.id);
    expect(run).toMatchObject({ state: 'succeeded', failure: null });
    const [found] = await warehouse.query<{ first: string; last: string; rows: number }>(
      `select min(date)::text as first, max(date)::text as last, count(*)::int as rows from ${TABLE}`,
    );
    const { first = '', last = '', rows = 0 } = found ?? {};
    expect(rows).toBeGreaterThan(20);
    const stored = await warehouse.query(
      `select date::text, campaign_id as "campaignId", campaign_name as "campaignName", cost_micros::text as "costMicros",
              clicks::text, impressions::text
         from ${TABLE} order by date, campaign_id`,
    );
    expect(stored).toEqual(rowsOf(first, last));
    expect(last >= utcDaysAgo(1)).toBe(true);
  });

  it('loads nothing of a truncated answer', async () => {
    platform.isTruncating = true;
    const source = await aSource();
    await warehouse.query(`drop table if exists ${TABLE}`);
    const connection = await aConnection(organization, warehouse, {
      sourceId: source.id,
      streams: ['campaign_daily'],
      historyDays: 5,
      lookbackDays: 3,
    });
    const { body } = await organization.call.get<RunPage>(`${organization.path}/runs?connectionId=${connection.id}`);
    const [run] = body.items;
    const ended = await eventually(
      async () => expectStatus(await organization.call.get<RunDetail>(`${organization.path}/runs/${run?.id}`), 200).body,
      ({ state }) => state === 'waiting' || state === 'failed' || state === 'partial',
    );
    expect(ended.slices.map(({ failure }) => failure?.code)).toContain('acme_ads.truncated');
    expect((await warehouse.query<{ count: number }>(`select count(*)::int as count from ${TABLE}`))[0]?.count ?? 0).toBe(0);
  });
});
