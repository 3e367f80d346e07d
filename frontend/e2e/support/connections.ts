import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { connectApp } from '../../../tools/start/consent.ts';
import { ProductClient } from '../../../tools/start/product-client.ts';
import { anOrganization, aPerson } from './calls.ts';
import type { Person } from './calls.ts';
import { daysAgo } from './days.ts';
import { instance } from './instance.ts';
import type { SourceKind } from './pairs.ts';
import { createWarehouse } from './resources.ts';
import type { CreatedSource } from './resources.ts';
import { openAs } from './steps.ts';

interface Account {
  externalId: string;
  status: string;
}

interface ConnectionState {
  activeRun: object | null;
  lastRun: { state: string } | null;
}

/** The platform's user of the sandbox who can read all usual accounts. */
const USER = 'demo@example.com';
/** The streams that the wizard selects for a warehouse. */
const STREAMS = ['campaign_daily', 'ad_group_daily', 'ad_performance_daily'];

const of = (organizationId: string): string => `/api/v1/organizations/${organizationId}`;
const clientOf = ({ token }: Person): ProductClient => new ProductClient(instance().url, token);

async function appOf(person: Person, organizationId: string, provider: string, user: string): Promise<string> {
  const client = clientOf(person);
  const apps = `${of(organizationId)}/apps`;
  const { id } = await client.post<{ id: string }>(apps, { provider });
  await connectApp(client, apps, id, user);
  return id;
}

/** A source of one account, connected with the requests of the web app instead of its pages. */
export async function aSource(
  person: Person,
  organizationId: string,
  { path, accountName, accountId }: Pick<SourceKind, 'path' | 'accountName' | 'accountId'>,
): Promise<CreatedSource> {
  const appId = await appOf(person, organizationId, path.replaceAll('-', '_'), USER);
  const body = { appId, name: accountName, accountIds: [accountId] };
  const { id } = await clientOf(person).post<{ id: string }>(`${of(organizationId)}/sources`, body);
  return { id, appId };
}

/** Opens the page of a healthy connection of all accounts of the Google user, with the wizard's streams and 30 days. */
export async function openConnection(
  page: Page,
  { prefix, user = USER, name = 'Search to warehouse' }: { prefix: string; user?: string; name?: string },
): Promise<{ person: Person; organizationId: string; connectionId: string }> {
  const person = await aPerson();
  const organizationId = await anOrganization(person);
  const client = clientOf(person);
  const base = of(organizationId);
  const appId = await appOf(person, organizationId, 'google_ads', user);
  const { items } = await client.get<{ items: Account[] }>(`${base}/apps/${appId}/accounts?refresh=false`);
  const accountIds = items.filter(({ status }) => status === 'enabled').map(({ externalId }) => externalId);
  const source = await client.post<{ id: string }>(`${base}/sources`, { appId, name: 'Google Ads', accountIds });
  const { id: connectionId } = await client.post<{ id: string }>(`${base}/connections`, {
    name,
    sourceId: source.id,
    destinationId: await createWarehouse(person, organizationId, prefix),
    streams: STREAMS,
    schedule: { kind: 'interval', everyMinutes: 60, timeZone: 'Europe/Berlin' },
    historyFrom: daysAgo(30),
  });
  const lastState = async () => {
    const { activeRun, lastRun } = await client.get<ConnectionState>(`${base}/connections/${connectionId}`);
    return activeRun === null ? lastRun?.state : undefined;
  };
  await expect.poll(lastState).toBe('succeeded');
  await openAs(page, person, `/${organizationId}/connection/${connectionId}/configuration`);
  await expect(page.getByText('Healthy', { exact: true })).toBeVisible();
  return { person, organizationId, connectionId };
}
