import { z } from 'zod';
import type { AdAccount, ConnectorContext } from '../kit/contract.js';
import { CorruptAnswer, SkipAccount } from '../kit/errors.js';
import { mapConcurrently } from '../kit/map-concurrently.js';
import type { GoogleAdsApi, Search } from './api.js';
import { isAboutAccount } from './errors.js';

const accessibleSchema = z.object({ resourceNames: z.array(z.string().regex(/^customers\/\d+$/)).default([]) });
const clientSchema = z.object({
  customerClient: z.object({
    id: z.string().regex(/^\d+$/),
    descriptiveName: z.string().default(''),
    currencyCode: z.string().default(''),
    timeZone: z.string().default(''),
    status: z.string().default('UNKNOWN'),
    manager: z.boolean().default(false),
  }),
});
const daysSchema = z.string().regex(/^\d+$/).transform(Number).optional();
const actionSchema = z.object({
  conversionAction: z
    .object({ clickThroughLookbackWindowDays: daysSchema, viewThroughLookbackWindowDays: daysSchema })
    .default({}),
});

/**
 * Without a level filter Google returns the whole tree below the customer, including nested managers. Level 0 is the customer
 * itself.
 */
const treeQuery =
  'SELECT customer_client.id, customer_client.descriptive_name, customer_client.currency_code, customer_client.time_zone, ' +
  'customer_client.status, customer_client.manager, customer_client.level FROM customer_client';
const windowQuery =
  'SELECT conversion_action.id, conversion_action.click_through_lookback_window_days, ' +
  "conversion_action.view_through_lookback_window_days FROM conversion_action WHERE conversion_action.status = 'ENABLED'";

const DEFAULT_LOOKBACK_DAYS = 30;
/** Even without conversions, Google refunds invalid clicks for several days. */
const MINIMUM_LOOKBACK_DAYS = 7;
const MAXIMUM_LOOKBACK_DAYS = 90;

/** Every ad account that the user can access, once each: directly if possible, otherwise through a manager. */
export async function listAccounts(api: GoogleAdsApi, context: ConnectorContext): Promise<AdAccount[]> {
  const accessible = check(accessibleSchema, await api.listAccessibleCustomers(context));
  const rootIds = accessible.resourceNames.map((name) => name.replace('customers/', '')).sort();
  const accounts = new Map<string, AdAccount>();
  for (const tree of await mapConcurrently(rootIds, (rootId) => listTree(api, context, rootId))) {
    for (const account of tree) {
      if (!accounts.has(account.externalId) || account.managerId === null) accounts.set(account.externalId, account);
    }
  }
  return [...accounts.values()].sort(
    (left, right) => left.name.localeCompare(right.name, 'en') || (left.externalId < right.externalId ? -1 : 1),
  );
}

/**
 * A closed or incomplete customer returns an error. The others are still listed. Any other refusal fails the list: a shorter one
 * would replace the app's accounts.
 */
async function listTree(api: GoogleAdsApi, context: ConnectorContext, rootId: string): Promise<AdAccount[]> {
  try {
    const rows = await collect(api, context, { customerId: rootId, loginCustomerId: rootId, query: treeQuery });
    const clients = rows.map((row) => check(clientSchema, row).customerClient);
    const root = clients.find((client) => client.id === rootId);
    return clients
      .filter((client) => !client.manager)
      .map((client) => ({
        externalId: client.id,
        name: client.descriptiveName || client.id,
        currency: client.currencyCode,
        timeZone: client.timeZone,
        managerId: client.id === rootId ? null : rootId,
        managerName: client.id === rootId ? null : root?.descriptiveName || rootId,
        status: toStatus(client.status),
      }));
  } catch (error) {
    if (error instanceof SkipAccount && isAboutAccount(error)) return [];
    throw error;
  }
}

function toStatus(status: string): AdAccount['status'] {
  if (status === 'ENABLED') return 'enabled';
  return status === 'CANCELED' || status === 'CLOSED' ? 'closed' : 'disabled';
}

/**
 * The longest window in which a conversion may still be attributed to a past day. Conversions count on the day of the click,
 * view-through conversions on the day of the view.
 */
export async function lookbackDays(api: GoogleAdsApi, context: ConnectorContext, account: AdAccount): Promise<number> {
  const search = { customerId: account.externalId, loginCustomerId: account.managerId, query: windowQuery };
  const actions = (await collect(api, context, search)).map((row) => check(actionSchema, row).conversionAction);
  const clicks = actions.flatMap((action) => action.clickThroughLookbackWindowDays ?? []);
  const views = actions.flatMap((action) => action.viewThroughLookbackWindowDays ?? []);
  const windows = [...(clicks.length === 0 ? [DEFAULT_LOOKBACK_DAYS] : clicks), ...views];
  return Math.min(MAXIMUM_LOOKBACK_DAYS, Math.max(MINIMUM_LOOKBACK_DAYS, ...windows));
}

async function collect(api: GoogleAdsApi, context: ConnectorContext, search: Search): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const chunks of api.searchStream(context, search)) {
    for (const chunk of chunks) rows.push(...check(z.object({ results: z.array(z.unknown()).default([]) }), chunk).results);
  }
  return rows;
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  throw new CorruptAnswer({
    code: 'google_ads.unexpected_value',
    message: `Google Ads sent an unexpected value at ${issue?.path.join('.') ?? 'the top level'}: ${issue?.message ?? 'unknown'}.`,
    action: 'No action needed: Tributary retries automatically',
  });
}
