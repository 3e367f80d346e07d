import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import pg from 'pg';
import { anOrganization, aPerson, post } from './calls.ts';
import type { Person } from './calls.ts';
import { instance } from './instance.ts';
import { aSource } from './connections.ts';
import { createWarehouse, get } from './resources.ts';
import { sources, sumsAtSource } from './pairs.ts';
import { startSignedIn } from './steps.ts';

const google = sources[0]!;

export interface LoadedConnection {
  person: Person;
  /** Path of the connection in the API. */
  url: string;
  /** Path of its page. */
  page: string;
  prefix: string;
  account: { externalId: string; timeZone: string };
}

/** A day in the calendar of the account. */
export function dayOf({ timeZone }: { timeZone: string }, daysAgo: number): string {
  const day = new Date(`${new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date())}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() - daysAgo);
  return day.toISOString().slice(0, 10);
}

interface State {
  activeRun: object | null;
  lastRun: { state: string } | null;
  source: { accounts: LoadedConnection['account'][] };
}

/** Signs in, connects one account of Google Ads, and waits for the first run of a connection of its last ten days. */
export async function aLoadedConnection(
  page: Page,
  prefix: string,
  createDestination: typeof createWarehouse = createWarehouse,
): Promise<LoadedConnection> {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  await startSignedIn(page, person);
  const { id: sourceId } = await aSource(person, organizationId, google);
  const destinationId = await createDestination(person, organizationId, prefix);
  const base = `${instance().url}/api/v1/organizations/${organizationId}/connections`;
  const schedule = { kind: 'manual', timeZone: 'UTC' };
  const historyFrom = dayOf({ timeZone: 'UTC' }, 10);
  const body = { sourceId, destinationId, streams: ['campaign_daily'], name: 'Search', schedule, historyFrom, lookbackDays: 3 };
  const { id } = await post<{ id: string }>(base, body, person.token);
  const url = `${base}/${id}`;
  await expect.poll(async () => (await get<State>(person, url)).lastRun?.state).toBe('succeeded');
  const { source } = await get<State>(person, url);
  return { person, url, page: `/${organizationId}/connection/${id}/configuration`, prefix, account: source.accounts[0]! };
}

export async function query<Row extends object>(connectionString: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const database = new pg.Client({ connectionString });
  await database.connect();
  try {
    return (await database.query<Row>(text, values)).rows;
  } finally {
    await database.end();
  }
}

/** Number of rows of 398 days at the platform and in the warehouse, without the newest days, which still change. */
export async function rowsOfAYear({ prefix, account }: LoadedConnection): Promise<{ source: number; warehouse: number }> {
  const [from, to] = [dayOf(account, 399), dayOf(account, 2)];
  const { rows: source } = await sumsAtSource({ ...google, totalsOf: 'campaign_daily' }, { from, to });
  const [found] = await query<{ rows: number }>(
    instance().warehouseUrl,
    `select count(*)::int as rows from ${prefix}google_ads_campaign_daily where account_id = $1 and date between $2 and $3`,
    [account.externalId, from, to],
  );
  return { source: source ?? 0, warehouse: found?.rows ?? 0 };
}
