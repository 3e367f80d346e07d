import { randomUUID } from 'node:crypto';
import { BigQuery } from '@google-cloud/bigquery';
import { OAuth2Client } from 'google-auth-library';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startBigQuery, type BigQueryWarehouse } from './big-query.js';
import { aContext } from './context.js';
import { aRow, aSlice, campaignDaily, pagesOf } from './rows.js';

let warehouse: BigQueryWarehouse;
let client: BigQuery;

beforeAll(async () => {
  warehouse = await startBigQuery();
  const destination = await warehouse.open();
  await destination.prepare(aContext(), [campaignDaily]);
  const rows = [
    aRow({ cost_micros: 9_007_199_254_740_993n, campaign_name: 'Größe "日本"\n🚀' }),
    aRow({ campaign_id: 2n, date: '2026-01-02', conversions: null }),
  ];
  await destination.write(aContext(), aSlice(), pagesOf(rows), { runId: randomUUID(), leaseEpoch: 1n });
  const { accessToken } = await warehouse.sandbox.signIn('demo@example.com', ['https://www.googleapis.com/auth/bigquery']);
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: accessToken, expiry_date: Date.now() + 3_000_000 });
  // With an address of its own the client would otherwise send no token at all.
  const options = {
    projectId: 'northwind-marketing',
    apiEndpoint: warehouse.settings.baseUrl,
    useAuthWithCustomEndpoint: true,
    authClient: authClient as never,
  };
  client = new BigQuery(options);
}, 60_000);
afterAll(() => warehouse.sandbox.stop());

const table = `northwind-marketing.ads.${campaignDaily.table}`;

it('finds the table, with its description, partitions and columns', async () => {
  const [metadata] = await client.dataset('ads').table(campaignDaily.table).getMetadata();
  expect(metadata).toMatchObject({
    numRows: '2',
    description: expect.stringContaining('Loaded by Tributary'),
    timePartitioning: { type: 'DAY', field: 'date' },
  });
  const { fields } = metadata.schema as { fields: { description: string }[] };
  expect(fields.map(({ description }) => description)).toEqual(campaignDaily.columns.map(({ description }) => description));
});

it('reads the rows as they were loaded', async () => {
  const [rows] = await client.dataset('ads').table(campaignDaily.table).getRows({ wrapIntegers: true });
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({
    date: { value: '2026-01-01' },
    campaign_name: 'Größe "日本"\n🚀',
    cost_micros: { value: '9007199254740993' },
    conversions: 1.5,
  });
});

it('queries what was loaded, with parameters and in pages', async () => {
  const query = `SELECT date, campaign_id, conversions FROM \`${table}\` WHERE account_id = @account ORDER BY date`;
  const [rows] = await client.query({ query, params: { account: '9001000011' }, location: 'EU' });
  expect(rows).toMatchObject([
    { date: { value: '2026-01-01' }, campaign_id: 1, conversions: 1.5 },
    { date: { value: '2026-01-02' }, campaign_id: 2, conversions: null },
  ]);
  const [job] = await client.createQueryJob({ query: `SELECT SUM(clicks) AS clicks FROM \`${table}\``, location: 'EU' });
  const [sums] = await job.getQueryResults({ maxResults: 1 });
  expect(sums).toEqual([{ clicks: 20 }]);
});
