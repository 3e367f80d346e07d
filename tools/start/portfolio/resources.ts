import { connectApp } from '../consent.ts';
import type { ProductClient } from '../product-client.ts';
import type { AppPlan, DestinationPlan, Story } from './stories.ts';

export interface SandboxAddress {
  sandboxUrl: string;
}

/** What the demo's connections are made with. */
export interface DemoContext extends SandboxAddress {
  client: ProductClient;
  organizationId: string;
  /** `/api/v1/organizations/{id}`. */
  base: string;
  warehouseUrl: string;
  databaseUrl: string;
  signal: AbortSignal;
}

interface Item {
  id: string;
  name: string;
}
interface App {
  id: string;
  displayName: string;
  state: string;
}

export async function sandboxAnswer<Answer>({ sandboxUrl }: SandboxAddress, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${sandboxUrl}/admin/${path}`, body && { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`The sandbox returned ${response.status} for ${path}: ${await response.text()}`);
  return (await response.json()) as Answer;
}

async function findByName({ client, base }: DemoContext, kind: string, name: string): Promise<Item | undefined> {
  return (await client.get<{ items: Item[] }>(`${base}/${kind}`)).items.find((item) => item.name === name);
}

async function findConnection(context: DemoContext, { name }: Story): Promise<string | undefined> {
  return (await findByName(context, 'connections', name))?.id;
}

/** Creates the connection of a story and what it needs. Keeps what exists, so that it can be called again after a stop. */
export async function ensureConnection(context: DemoContext, story: Story): Promise<string> {
  const found = await findConnection(context, story);
  if (found) return found;
  const { client, base } = context;
  const appId = await ensureApp(context, story.app);
  const sourceId = await ensureSource(context, appId, story);
  const destinationId = await ensureDestination(context, story.destination);
  const { name, streams, schedule, tags, historyDays } = story;
  const historyFrom = new Date(Date.now() - historyDays * 86_400_000).toISOString().slice(0, 10);
  const body = { name, sourceId, destinationId, streams, schedule, historyFrom, tags };
  return (await client.post<Item>(`${base}/connections`, body)).id;
}

async function ensureApp({ client, base }: DemoContext, { name, provider, user }: AppPlan): Promise<string> {
  const path = `${base}/apps`;
  const { items } = await client.get<{ items: App[] }>(`${path}?provider=${provider}`);
  const app =
    items.find(({ displayName }) => displayName === name) ?? (await client.post<App>(path, { provider, displayName: name }));
  if (app.state === 'draft' || app.state === 'authorizing') await connectApp(client, path, app.id, user);
  return app.id;
}

async function ensureSource(context: DemoContext, appId: string, { source: name, accountIds }: Story): Promise<string> {
  const { client, base } = context;
  const found = await findByName(context, 'sources', name);
  if (found) return found.id;
  const { items } = await client.get<{ items: { externalId: string; status: string }[] }>(
    `${base}/apps/${appId}/accounts?refresh=false`,
  );
  const enabled = items.filter(({ status }) => status === 'enabled').map(({ externalId }) => externalId);
  return (await client.post<Item>(`${base}/sources`, { appId, name, accountIds: accountIds ?? enabled })).id;
}

async function ensureDestination(context: DemoContext, plan: DestinationPlan): Promise<string> {
  const found = await findByName(context, 'destinations', plan.name);
  if (found) return found.id;
  const { provider, name } = plan;
  const body = { provider, name, ...(await destinationInput(context, plan)) };
  return (await context.client.post<Item>(`${context.base}/destinations`, body)).id;
}

async function destinationInput(context: DemoContext, plan: DestinationPlan): Promise<{ settings: object; credentials: object }> {
  if (plan.provider === 'postgresql') return warehouseInput(context, plan.schema);
  if (plan.provider === 'bigquery') {
    const key = await sandboxAnswer<{ project_id: string }>(context, 'bigquery/service-account?name=loader');
    const settings = { projectId: key.project_id, datasetId: plan.datasetId, location: 'EU', tablePrefix: '' };
    return { settings, credentials: { serviceAccountKey: JSON.stringify(key) } };
  }
  const { username, secret } = await sandboxAnswer<Record<string, string>>(context, 'mixpanel/service-account');
  const { projectId, residency, eventName } = plan;
  return { settings: { projectId, residency, eventName }, credentials: { username, secret } };
}

function warehouseInput({ warehouseUrl }: DemoContext, schema: string): { settings: object; credentials: object } {
  const url = new URL(warehouseUrl);
  const settings = {
    host: url.hostname,
    port: Number(url.port),
    database: url.pathname.slice(1),
    schema,
    user: decodeURIComponent(url.username),
    sslMode: 'disable',
    tablePrefix: '',
  };
  return { settings, credentials: { password: decodeURIComponent(url.password) } };
}
