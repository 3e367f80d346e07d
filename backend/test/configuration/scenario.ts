import type { ConfigurationFile } from '../../src/configuration/file/configuration-file.dto.js';
import type { ConfigurationPlan, ImportResult, PlanItem } from '../../src/configuration/plan/plan.dto.js';
import type { TestApp } from '../app.js';
import type { Sandbox } from '../connectors/sandbox-process.js';
import type { Warehouse } from '../connectors/warehouse.js';
import { ConversionScenario } from '../conversions/scenario.js';
import { aConnection, aSource, expectStatus, type Organization } from '../factories.js';
import type { Answer } from '../http.js';
import { Shop } from '../payments/scenario.js';

export const WEBHOOK_URL = 'https://127.0.0.1/hooks/tributary';

/** An organization with one of each kind, and with settings that are not the defaults. */
export async function aFullOrganization(app: TestApp, sandbox: Sandbox, warehouse: Warehouse): Promise<Organization> {
  const { organization, googleAppId, pushApp, ...scenario } = await aConversion(app, sandbox);
  const { call, path } = organization;
  const post = async (part: string, body: object) =>
    expectStatus(await call.post<{ id: string }>(`${path}/${part}`, body), 201).body;
  const sourceId = await aSource(organization, { appId: googleAppId });
  const connection = await aConnection(organization, warehouse, { sourceId, streams: ['campaign_daily'], historyDays: 40 });
  const settings = {
    schedule: { kind: 'interval', everyMinutes: 60, notBefore: '05:30', timeZone: 'Europe/Berlin' },
    hashedFields: [{ stream: 'campaign_daily', columns: ['campaign_name'] }],
    freshnessTarget: { atTime: '09:30', timeZone: 'Europe/Berlin' },
    leftOut: [{ stream: 'campaign_daily', columns: ['campaign_status'] }],
    ...{ emptyPolicy: 'allow_empty', schemaPolicy: 'approve', tags: ['brand', 'weekly report'], version: 1 },
  };
  const { body } = expectStatus(await call.patch<{ destination: { id: string } }>(connection.path, settings), 200);
  const shop = await Shop.open(sandbox);
  const stripe = await post('apps', { provider: 'stripe', credentials: { apiKey: shop.key } });
  await post('payments', { name: 'Shop', appId: stripe.id, destinationIds: [body.destination.id], historyFrom: '2026-01-01' });
  await post('webhook-endpoints', { kind: 'signed', name: 'Incidents', url: WEBHOOK_URL });
  await post('webhook-endpoints', { kind: 'slack', name: 'Chat', url: 'https://127.0.0.1/services/SLACKSECRET' });
  await post('notification-rules', { channel: 'mail', events: ['weekly.summary'], roles: ['viewer'], includesRecovery: false });
  const schema = { type: 'object', required: ['orderId'], properties: { orderId: { type: 'string' } } };
  const push = `${path}/apps/${pushApp.id}/push`;
  const { version } = expectStatus(await call.get<{ version: number }>(push), 200).body;
  expectStatus(await call.patch(push, { schema, dedupeField: 'orderId', version }), 200);
  await scenario.create();
  return organization;
}

async function aConversion(app: TestApp, sandbox: Sandbox) {
  const scenario = await ConversionScenario.create(app, sandbox);
  const { organization, googleAppId, pushApp } = scenario;
  return { organization, googleAppId, pushApp, create: () => scenario.conversion({}, { testCode: 'TEST1' }) };
}

export const exportOf = async ({ call, path }: Organization): Promise<ConfigurationFile> =>
  expectStatus(await call.get<ConfigurationFile>(`${path}/configuration`), 200).body;

export const planOf = async ({ call, path }: Organization, file: object): Promise<ConfigurationPlan> =>
  expectStatus(await call.post<ConfigurationPlan>(`${path}/configuration/plan`, file), 200).body;

export const apply = ({ call, path }: Organization, file: object, digest: string): Promise<Answer<ImportResult>> =>
  call.post<ImportResult>(`${path}/configuration/apply?digest=${digest}`, file);

/** Plans and applies a file. */
export async function importInto(organization: Organization, file: object): Promise<ImportResult> {
  const { digest } = await planOf(organization, file);
  return expectStatus(await apply(organization, file, digest), 200).body;
}

/** `create connection Search`, one line for each entry. */
export const linesOf = ({ items }: ImportResult): string[] => items.map(({ action, kind, name }) => `${action} ${kind} ${name}`);

export function itemOf({ items }: ImportResult, kind: PlanItem['kind'], name?: string): PlanItem {
  const item = items.find((one) => one.kind === kind && (name === undefined || one.name === name));
  if (!item) throw new Error(`no ${kind} ${name} in ${JSON.stringify(items)}`);
  return item;
}
