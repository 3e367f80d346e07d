import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { addFault, post } from './calls.ts';
import { instance } from './instance.ts';
import { newPrefix } from './prefixes.ts';
import { allowAccess, fillInWarehouse } from './steps.ts';

/** The unified report of all platforms. */
export const STREAM = 'ad_performance_daily';
const BIGQUERY = { projectId: 'northwind-marketing', datasetId: 'pairs' };
const MIXPANEL_PROJECT = '3100001';

interface AdAccount {
  accountId: string;
  /** The name at the platform. */
  accountName: string;
}

export interface SourceKind extends AdAccount {
  name: string;
  platform: 'Google' | 'Facebook' | 'Microsoft';
  /** The path in the sandbox's API. */
  path: string;
  /** The account parameter in the sandbox's API. */
  parameter: string;
  otherAccounts: [AdAccount, AdAccount];
  /** Part of the names of tables and events. Set: those of one attempt of a test, which no other one has written. */
  tag?: string;
  /** The platform's report that the unified report is built from. */
  totalsOf: string;
}

/** Accounts with a lookback window of more than 10 days, so that restated days are reloaded. */
export const sources: SourceKind[] = [
  {
    name: 'Google Ads',
    platform: 'Google',
    path: 'google-ads',
    parameter: 'customerId',
    accountId: '9001000011',
    accountName: 'Northwind DE',
    otherAccounts: [
      { accountId: '9001000013', accountName: 'Northwind JP' },
      { accountId: '9001000020', accountName: 'Northwind Outlet' },
    ],
    totalsOf: STREAM,
  },
  {
    name: 'Meta Ads',
    platform: 'Facebook',
    path: 'meta-ads',
    parameter: 'accountId',
    accountId: '310000000000012',
    accountName: 'Northwind US',
    otherAccounts: [
      { accountId: '310000000000011', accountName: 'Northwind DE' },
      { accountId: '310000000000020', accountName: 'Northwind Outlet' },
    ],
    totalsOf: 'campaign_daily',
  },
  {
    name: 'Microsoft Ads',
    platform: 'Microsoft',
    path: 'microsoft-ads',
    parameter: 'accountId',
    accountId: '180500012',
    accountName: 'Northwind US',
    otherAccounts: [
      { accountId: '180500011', accountName: 'Northwind DE' },
      { accountId: '180500020', accountName: 'Northwind Outlet' },
    ],
    totalsOf: STREAM,
  },
];

/**
 * The source with a separate account for each destination, because the tests of pairs restate their accounts at the same time, and
 * with separate tables and events.
 */
export const sourceFor = (source: SourceKind, destination: number): SourceKind => ({
  ...source,
  ...(destination === 0 ? source : source.otherAccounts[destination - 1]),
  tag: newPrefix('pair'),
});

export interface Sums {
  /** Null for Mixpanel, where a changed row is several events. */
  rows: number | null;
  costMicros: string;
  clicks: number;
  impressions: number;
}

interface Range {
  from: string;
  to: string;
}

/** A separate table prefix per source, so that the pairs do not share tables. */
const prefixOf = ({ path, tag }: SourceKind): string => tag ?? `${path.replace('-', '_')}_`;

async function admin<Body>(path: string): Promise<Body> {
  const answer = await fetch(`${instance().sandboxUrl}/admin/${path}`);
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}

export async function sumsAtSource({ path, parameter, accountId, totalsOf }: SourceKind, range: Range): Promise<Sums> {
  const { streams } = await admin<{ streams: Record<string, Sums> }>(
    `${path}/totals?${new URLSearchParams({ [parameter]: accountId, ...range })}`,
  );
  const { rows, costMicros, clicks, impressions } = streams[totalsOf] as Sums;
  return { rows, costMicros, clicks, impressions };
}

/** Restates past days at the platform: numbers change, and some rows are removed or added. */
export const restate = ({ path, parameter, accountId }: SourceKind, range: Range): Promise<unknown> =>
  addFault({ provider: path, fault: 'restate', [parameter]: accountId, ...range });

export interface DestinationKind {
  name: string;
  /** Fills in the form of the destination. */
  fillIn: (page: Page, source: SourceKind) => Promise<void>;
  sums: (source: SourceKind, range: Range) => Promise<Sums>;
}

const postgresql: DestinationKind = {
  name: 'PostgreSQL',
  fillIn: async (page, source) => {
    await fillInWarehouse(page);
    await page.getByRole('textbox', { name: 'Table prefix' }).fill(prefixOf(source));
  },
  sums: async (source, { from, to }) => {
    const database = new pg.Client({ connectionString: instance().warehouseUrl });
    await database.connect();
    const { rows } = await database.query<Sums>(
      `select count(*)::float8 as rows, coalesce(sum(cost_micros), 0)::text as "costMicros", coalesce(sum(clicks), 0)::float8 as clicks,
              coalesce(sum(impressions), 0)::float8 as impressions
       from ${prefixOf(source)}${STREAM} where account_id = $1 and date between $2 and $3`,
      [source.accountId, from, to],
    );
    await database.end();
    return rows[0] as Sums;
  },
};

const bigquery: DestinationKind = {
  name: 'BigQuery',
  fillIn: async (page, source) => {
    const key = JSON.stringify(await admin<object>('bigquery/service-account?name=loader'));
    await page.getByRole('textbox', { name: /Service account key/ }).fill(key);
    await expect(page.getByText('Key of loader@')).toBeVisible();
    // The project is read from the key file.
    await expect(page.getByRole('textbox', { name: 'Project id' })).toHaveValue(BIGQUERY.projectId);
    await page.getByRole('textbox', { name: 'Dataset' }).fill(BIGQUERY.datasetId);
    await page.getByRole('textbox', { name: 'Table prefix' }).fill(prefixOf(source));
  },
  sums: async (source, range) => {
    const place = { ...BIGQUERY, tableId: prefixOf(source) + STREAM };
    const query = new URLSearchParams({ ...place, accountId: source.accountId, ...range });
    const { rows, costMicros, clicks, impressions } = await admin<Sums>(`bigquery/totals?${query}`);
    return { rows, costMicros, clicks, impressions };
  },
};

const eventOf = ({ name, tag = '' }: SourceKind): string => `Spend of ${name} ${tag}`.trim();

const mixpanel: DestinationKind = {
  name: 'Mixpanel',
  fillIn: async (page, source) => {
    await post(`${instance().sandboxUrl}/admin/mixpanel/limits`, { exportsPerHour: 10_000, queriesPerHour: 10_000 });
    await page.getByRole('textbox', { name: 'Project ID' }).fill(MIXPANEL_PROJECT);
    await page.getByRole('combobox', { name: 'Data residency' }).click();
    await page.getByRole('option', { name: 'US' }).click();
    await page.getByRole('textbox', { name: 'Event name' }).fill(eventOf(source));
    await page.getByRole('textbox', { name: 'Service account' }).fill('loader.f5a1c2.mp-service-account');
    await page.getByLabel('Secret', { exact: true }).fill('sandbox-loader-secret');
  },
  sums: async (source, range) => {
    const query = { projectId: MIXPANEL_PROJECT, event: eventOf(source), accountId: source.accountId, ...range };
    const { sums } = await admin<{ sums: Record<string, string> }>(`mixpanel/totals?${new URLSearchParams(query)}`);
    const costMicros = String(Math.round(Number(sums.cost) * 1e6));
    return { rows: null, costMicros, clicks: Number(sums.clicks), impressions: Number(sums.impressions) };
  },
};

export const destinations = [postgresql, bigquery, mixpanel];

/** Signs in at the platform and selects one account. */
export async function connectSource(page: Page, { name, platform, accountName, accountId }: SourceKind): Promise<void> {
  await page.getByRole('button', { name: `Connect ${name}` }).click();
  await allowAccess(page, 'demo@example.com', platform);
  await expect(page.getByRole('heading', { name: 'Choose ad accounts' })).toBeVisible();
  await page.getByRole('checkbox', { name: 'All accounts' }).uncheck();
  await page
    .getByRole('treeitem')
    .filter({ hasText: accountName })
    .filter({ hasText: displayedId(accountId) })
    .click();
  await page.getByRole('button', { name: 'Continue with 1 account' }).click();
}

/** Google's format of an account id: `900-100-0011`. */
const displayedId = (id: string): string => (/^\d{10}$/.test(id) ? id.replace(/(\d{3})(\d{3})(\d{4})/, '$1-$2-$3') : id);
