import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Subscription } from '../src/billing/billing.dto.js';
import { createDocument } from '../src/openapi.js';
import { listOperations } from '../src/openapi/schema.js';
import { sandboxSettings, startTestApp, type TestApp } from './app.js';
import { type Sandbox, startSandbox } from './connectors/sandbox-process.js';
import { startWarehouse, type Warehouse } from './connectors/warehouse.js';
import { aConnection, aDraftApp, anOrganization, aSource, authorize, destinationBody, eventually, expectStatus, type Organization } from './factories.js'; // prettier-ignore
import { type PlatformsScenario, rememberTokens, runEverywhere } from './canary-platforms.js';
import { tokenFor } from './http.js';
import { freePort } from './mail-catcher.js';
import { show } from './sign-in.js';
import { deliver, signed, stripeSettings, StripeSandbox, subscribe } from './stripe.js';

/** Unique secrets by kind. If one of them is found unencrypted, it has leaked. */
const canaries = new Map<string, string>();
const canary = (name: string): string => {
  const text = `canary_${name.replaceAll('-', '_')}_${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
  canaries.set(name, text);
  return text;
};

let sandbox: Sandbox;
let warehouse: Warehouse;
let app: TestApp;
let document: OpenAPIObject;
let organization: Organization;
let loader: string;
const logs: string[] = [];
/** All responses of the product, except the three that show a secret once. */
const answers: string[] = [];

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    logs.push(String(text));
    return true;
  });
  [sandbox, warehouse] = await Promise.all([startSandbox(), startWarehouse()]);
  loader = `canary_${Date.now()}`;
  await warehouse.query(`create role ${loader} login password '${canary('database-password')}'`);
  await warehouse.query(`grant all on schema public to ${loader}`);
  const port = await freePort();
  app = await startTestApp({
    ...sandboxSettings(sandbox.url),
    ROLE: 'all',
    LOG_LEVEL: 'trace',
    METRICS_PORT: String(port),
    GOOGLE_CLIENT_SECRET: canary('google-client-secret'),
    META_APP_SECRET: canary('meta-app-secret'),
    MICROSOFT_CLIENT_SECRET: canary('microsoft-client-secret'),
    MICROSOFT_DEVELOPER_TOKEN: canary('microsoft-developer-token'),
    ...stripeSettings(sandbox.url),
    STRIPE_SECRET_KEY: `sk_test_${canary('stripe-key')}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${canary('webhook-secret')}, whsec_${canary('other-webhook-secret')}`,
    CUSTOMER_IO_API_KEY: canary('customer-io-key'),
    INTERCOM_SECRET: canary('intercom-secret'),
  });
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  document = await createDocument(app.nest);
  organization = await anOrganization(app);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await app?.stop();
  await warehouse?.query(`drop owned by ${loader} cascade`).catch(() => undefined);
  await warehouse?.query(`drop role ${loader}`).catch(() => undefined);
  await Promise.all([sandbox?.stop(), warehouse?.stop()]);
});
let metricsUrl = '';

/** Sends a body with secrets and stores the response. */
async function post(path: string, body: object, isKept = true): Promise<Record<string, unknown>> {
  const answer = await organization.call.post(`${organization.path}/${path}`, body);
  if (isKept) answers.push(JSON.stringify(answer.body));
  return { status: answer.status, ...answer.body };
}

/** Submits secrets in every valid and invalid way. */
async function putIn(): Promise<Record<string, string>> {
  const typed = { ...destinationBody({ ...warehouse, settings: { ...warehouse.settings, user: loader, password: canaries.get('database-password') ?? '' } }) }; // prettier-ignore
  const made = await post('destinations', typed);
  expect(made).toMatchObject({ status: 201 });
  const wrong = (provider: string, settings: object, credentials: object) => ({ provider, name: 'Wrong', settings, credentials });
  await post('destinations', { ...typed, credentials: { password: canary('wrong-password') } });
  await post('destinations', { ...typed, credentials: { password: 7, extra: canary('misplaced') } });
  const key = { type: 'service_account', project_id: 'x', private_key: canary('private-key'), client_email: 'a@b.example.com' };
  const serviceAccountKey = JSON.stringify(key);
  await post('destinations', wrong('bigquery', { projectId: 'northwind-marketing', datasetId: 'x', location: 'EU' }, { serviceAccountKey })); // prettier-ignore
  const username = 'loader.f5a1c2.mp-service-account';
  await post('destinations', wrong('mixpanel', { projectId: '3100001', residency: 'US' }, { username, secret: canary('mixpanel-secret') })); // prettier-ignore
  const appId = await aDraftApp(organization);
  await post('apps/oauth/complete', { state: canary('state'), code: canary('code') });
  expectStatus(await authorize(organization, appId), 200);
  await rememberTokens(scenario(), appId, 'google');
  const shared = await post(`apps/${appId}/share-link`, {}, false);
  canaries.set('share-link', String(shared['url']).split('/').at(-1) ?? '');
  await show(app, new URL(String(shared['url'])).pathname);
  const apiKey = await post('api-keys', { name: 'Canary', role: 'viewer' }, false);
  canaries.set('api-key', String(apiKey['key'] ?? apiKey['token'] ?? apiKey['secret']));
  await fetch(`${app.url}${organization.path}/apps`, { headers: { authorization: `Bearer ${canaries.get('api-key')}` } });
  const custom = await post('apps', { provider: 'custom' });
  const pushed = await post(`apps/${String(custom['id'])}/push/rotate-key`, {}, false);
  canaries.set('push-key', String(pushed['key']));
  const { url } = pushed['endpoint'] as { url: string };
  for (const key of [canaries.get('push-key'), canary('wrong-push-key')]) {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(app.url + new URL(url).pathname, { method: 'POST', headers, body: '{"orderId": "A-1"}' });
    answers.push(await answer.text());
  }
  // A restricted key that Stripe rejects, and one that it takes.
  await post('apps', { provider: 'stripe', credentials: { apiKey: `rk_test_${canary('wrong-restricted-key')}` } });
  const shop = await sandbox.admin<{ key: string }>('stripe/payments', {});
  canaries.set('restricted-key', shop.key);
  const stripeApp = await post('apps', { provider: 'stripe', credentials: { apiKey: shop.key } });
  const payment = await post('payments', {
    ...{ name: 'Shop', appId: stripeApp['id'], destinationIds: [String(made['id'])], historyFrom: '2026-01-01' },
  });
  await post(`payments/${String(payment['id'])}/webhook-secret`, { secret: `whsec_${canary('payment-webhook-secret')}` });
  canaries.set('identity-token', tokenFor(organization.owner));
  const sourceId = await aSource(organization, { appId });
  const loaderWarehouse = {
    ...warehouse,
    settings: { ...warehouse.settings, user: loader, password: canaries.get('database-password') ?? '' },
  };
  const connection = await aConnection(organization, loaderWarehouse, { sourceId, historyDays: 2 });
  const runs = () =>
    organization.call.get<{ items: { id: string; state: string }[] }>(`${organization.path}/runs?connectionId=${connection.id}`);
  const { body } = await eventually(runs, ({ body: { items } }) => items[0]?.state === 'succeeded');
  return { appId, sourceId, destinationId: String(made['id']), connectionId: connection.id, runId: body.items[0]?.id ?? '' };
}

/** Stripe's data: a paid checkout, its webhooks, and one with another signature. */
async function subscribeThere(): Promise<void> {
  const stripe = new StripeSandbox(sandbox);
  await stripe.connect(app, `whsec_${canaries.get('webhook-secret')}`);
  await subscribe(organization, stripe);
  const heard = () => app.database.query('select from stripe_events where organization_id = $1', [organization.id]);
  await eventually(heard, (events) => events.length > 0);
  // A sync that a webhook has started may still store what it read before the payment.
  await eventually(
    async () => (await organization.call.post<Subscription>(`${organization.path}/subscription/refresh`)).body.access,
    (access) => access === 'open',
  );
  const refused = await deliver(app, signed({ id: 'evt_1', object: 'event' }, canary('foreign-webhook-secret')));
  expect(refused.status).toBe(400);
  answers.push(await refused.text());
}

const scenario = (): PlatformsScenario => ({
  app,
  sandbox,
  organization,
  remember: (name, secret) => canaries.set(name, secret),
  metaAppSecret: canaries.get('meta-app-secret') ?? '',
});

const found = (where: string, text: string): string[] =>
  [...canaries].filter(([, secret]) => text.includes(secret)).map(([name]) => `${name} in ${where}`);

it('no secret is unencrypted in trace logs, responses, errors, metrics, the API document, the audit trail, or any table', async () => {
  await subscribeThere();
  const ids = await putIn();
  const runs = await runEverywhere(scenario());
  expect(runs.length).toBe(8);
  for (const id of runs) {
    const { body } = expectStatus(await organization.call.get(`${organization.path}/runs/${id}`), 200);
    answers.push(JSON.stringify(body));
  }
  expect([...canaries].filter(([, secret]) => secret.length < 12)).toEqual([]);
  const kinds = [
    'key-file-3',
    'proof-meta_ads-later',
    'microsoft_ads-later-refresh-token',
    'microsoft-developer-token',
    'webhook-secret',
  ];
  expect([...canaries.keys()]).toEqual(expect.arrayContaining(kinds));
  for (const name of ['access-token', 'refresh-token'])
    expect(canaries.get(`microsoft_ads-later-${name}`)).not.toBe(canaries.get(`microsoft_ads-first-${name}`));
  const leaks = answers.flatMap((text) => found('a response', text));

  const headers = { authorization: `Bearer ${tokenFor(organization.owner)}` };
  const values: Record<string, string> = { ...ids, organizationId: organization.id };
  let read = 0;
  for (const { method, path } of listOperations(document)) {
    if (method !== 'get' || /\/events$|reconnect|api\/delete|receiveOauth|oauth\/callback/.test(path)) continue;
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? 'none'));
    const answer = await fetch(app.url + filled, { headers, redirect: 'manual' });
    if ((answer.headers.get('content-type') ?? '').includes('event-stream')) await answer.body?.cancel();
    else leaks.push(...found(`GET ${path}`, await answer.text()));
    read += 1;
  }
  expect(read).toBeGreaterThan(30);
  // The export is one of them, and not an error.
  expectStatus(await organization.call.get(`${organization.path}/configuration`), 200);
  leaks.push(...found('the metrics', await (await fetch(metricsUrl)).text()));
  leaks.push(...found('the API document', JSON.stringify(document)));
  leaks.push(...found('the API document', await (await fetch(`${app.url}/api/openapi.json`)).text()));

  const tables = await app.database.query<{ schema: string; name: string }>(
    `select schemaname as schema, tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(25);
  for (const { schema, name } of tables) {
    const rows = await app.database.query<{ row: string }>(`select t::text as row from "${schema}"."${name}" t`);
    leaks.push(...rows.flatMap(({ row }) => found(`the table ${name}`, row)));
  }

  expect(logs.join('')).toContain('"level":');
  expect(logs.length).toBeGreaterThan(20);
  leaks.push(...found('the logs', logs.join('')));
  expect([...new Set(leaks)]).toEqual([]);
});
