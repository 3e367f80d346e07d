import { ensureSubscription } from './billing.ts';
import { connectApp } from './consent.ts';
import type { DemoUser } from './demo-user.ts';
import { DEMO_EMAIL } from './plan.ts';
import { SUPERUSER } from '../postgres/start-postgres.ts';
import { ProductClient } from './product-client.ts';

export interface Demo {
  organizationId: string;
  connectionId: string;
}

interface Item {
  id: string;
}
interface App extends Item {
  state: string;
}
interface Destination extends Item {
  provider: string;
  version: number;
  settings: WarehouseSettings;
}
interface List<Entry> {
  items: Entry[];
}
interface AdAccount {
  externalId: string;
  status: string;
}
interface Connector {
  provider: string;
  streams: { name: string; level: string; breakdowns: string[] }[];
}
interface WarehouseSettings {
  host: string;
  port: number;
  database: string;
  schema: string;
  user: string;
  sslMode: string;
  tablePrefix: string;
}

const COMPANY_NAME = 'Northwind Demo';
const HISTORY_DAYS = 400;
const DAY_MS = 86_400_000;

/**
 * Creates a demo organization with a connection, using only API requests of the web app. Runs at every start and does not
 * change what exists.
 */
export async function seedDemo(productUrl: string, user: DemoUser, warehouseUrl: string): Promise<Demo> {
  const client = new ProductClient(productUrl, user.idToken);
  const organizationId = await ensureOrganization(client, user.userId);
  const base = `/api/v1/organizations/${organizationId}`;
  await ensureSubscription(client, base);
  const appId = await ensureApp(client, `${base}/apps`);
  const sourceId = await ensureSource(client, base, appId);
  const destinationId = await ensureDestination(client, `${base}/destinations`, new URL(warehouseUrl));
  const connectionId = await ensureConnection(client, `${base}/connections`, sourceId, destinationId);
  return { organizationId, connectionId };
}

/** The oldest one: `portfolio` adds others later. */
async function findFirst<Entry extends Item>(client: ProductClient, path: string): Promise<Entry | undefined> {
  const { items } = await client.get<List<Entry>>(path);
  // Ids are UUIDv7, which increase.
  return items.sort((one, other) => one.id.localeCompare(other.id))[0];
}

async function ensureOrganization(client: ProductClient, userId: string): Promise<string> {
  await client.post('/api/getOrSaveUser', { email: DEMO_EMAIL, fullName: 'Demo', uid: userId });
  const query = new URLSearchParams({ userId, superadmin: 'false' });
  const { organizations } = await client.get<{ organizations: { organizationId: string; companyName: string }[] }>(
    `/api/getOrganizationIds?${query}`,
  );
  const found = organizations.find(({ companyName }) => companyName === COMPANY_NAME);
  if (found) return found.organizationId;
  const created = await client.post<{ organizationId: string }>('/api/createOrganization', { companyName: COMPANY_NAME, userId });
  return created.organizationId;
}

async function ensureApp(client: ProductClient, path: string): Promise<string> {
  const app =
    (await findFirst<App>(client, `${path}?provider=google_ads`)) ??
    (await client.post<App>(path, { provider: 'google_ads', displayName: 'Northwind Google Ads' }));
  // Connects the app only if it has never been connected. An app that the user disconnected is not changed.
  if (app.state === 'draft' || app.state === 'authorizing') await connectApp(client, path, app.id);
  return app.id;
}

async function ensureSource(client: ProductClient, base: string, appId: string): Promise<string> {
  const found = await findFirst(client, `${base}/sources`);
  if (found) return found.id;
  const { items } = await client.get<List<AdAccount>>(`${base}/apps/${appId}/accounts?refresh=false`);
  const accountIds = items.filter(({ status }) => status === 'enabled').map(({ externalId }) => externalId);
  return (await client.post<Item>(`${base}/sources`, { appId, name: 'All ad accounts', accountIds })).id;
}

async function ensureDestination(client: ProductClient, path: string, warehouse: URL): Promise<string> {
  const credentials = { password: decodeURIComponent(warehouse.password) };
  await followServer(client, path, warehouse);
  const found = await findFirst<Destination>(client, path);
  if (found) return found.id;
  const settings: WarehouseSettings = {
    host: warehouse.hostname,
    port: Number(warehouse.port),
    database: warehouse.pathname.slice(1),
    schema: 'public',
    user: decodeURIComponent(warehouse.username),
    sslMode: 'disable',
    tablePrefix: '',
  };
  return (await client.post<Item>(path, { provider: 'postgresql', name: 'Warehouse', settings, credentials })).id;
}

/** Changes destinations whose server has another port at this start, or which an earlier version connected as superuser. */
async function followServer(client: ProductClient, path: string, warehouse: URL): Promise<void> {
  const port = Number(warehouse.port);
  const user = decodeURIComponent(warehouse.username);
  const credentials = { password: decodeURIComponent(warehouse.password) };
  const { items } = await client.get<List<Destination>>(path);
  for (const { id, provider, settings, version } of items) {
    if (provider !== 'postgresql' || settings.host !== warehouse.hostname) continue;
    if (settings.port === port && settings.user !== SUPERUSER) continue;
    await client.patch(`${path}/${id}`, { settings: { ...settings, port, user }, credentials, version });
  }
}

async function ensureConnection(client: ProductClient, path: string, sourceId: string, destinationId: string): Promise<string> {
  const found = await findFirst(client, path);
  if (found) return found.id;
  const { connectors } = await client.get<{ connectors: Connector[] }>('/api/v1/catalog');
  const offered = connectors.find(({ provider }) => provider === 'google_ads')?.streams ?? [];
  // Keywords and search terms would make the first load ten times as long.
  const streams = offered
    .filter(({ level, breakdowns }) => ['campaign', 'ad_group'].includes(level) && breakdowns.length === 0)
    .map(({ name }) => name);
  const created = await client.post<Item>(path, {
    name: 'Google Ads to warehouse',
    sourceId,
    destinationId,
    streams,
    schedule: { kind: 'daily', atTime: '06:00', timeZone: 'UTC' },
    historyFrom: new Date(Date.now() - HISTORY_DAYS * DAY_MS).toISOString().slice(0, 10),
  });
  return created.id;
}
