import { randomBytes } from 'node:crypto';
import { addDays, dayInTimeZone } from '../src/connectors/kit/days.js';
import type { TestApp } from './app.js';
import type { Warehouse } from './connectors/warehouse.js';
import type { Answer, Caller, TestUser } from './http.js';

export interface Organization {
  id: string;
  owner: TestUser;
  /** Base path of the organization's routes. */
  path: string;
  /** Calls as its owner. */
  call: Caller;
}

export interface Connection {
  id: string;
  path: string;
}

/** A signed-in user that is registered. */
export async function aUser(app: TestApp, given: Partial<TestUser> = {}): Promise<TestUser> {
  const uid = given.uid ?? `user-${randomBytes(6).toString('hex')}`;
  const user: TestUser = { uid, email: `${uid}@example.com`, ...given };
  expectStatus(await app.http.as(user).post('/api/getOrSaveUser', { email: user.email, fullName: `Name of ${uid}`, uid }), 200);
  return user;
}

export async function anOrganization(app: TestApp, owner?: TestUser): Promise<Organization> {
  const person = owner ?? (await aUser(app));
  const call = app.http.as(person);
  const { body } = expectStatus(
    await call.post<{ organizationId: string }>('/api/createOrganization', { companyName: 'Northwind' }),
    200,
  );
  return { id: body.organizationId, owner: person, path: `/api/v1/organizations/${body.organizationId}`, call };
}

/** Starts the OAuth flow and answers the consent page as a user of the sandbox. */
export async function authorize(
  organization: Organization,
  appId: string,
  user = 'demo@example.com',
  scopes?: string[],
): Promise<Answer> {
  const landing = await consent(organization, appId, user, scopes);
  return organization.call.post(`${organization.path}/apps/oauth/complete`, landing);
}

/** The part before the product gets the code. Returns what the provider sends back. */
export async function consent(
  organization: Organization,
  appId: string,
  user = 'demo@example.com',
  scopes?: string[],
): Promise<Record<string, string>> {
  const { body } = expectStatus(
    await organization.call.post<{ authorizeUrl: string }>(`${organization.path}/apps/${appId}/oauth/start`),
    200,
  );
  const form = new URLSearchParams([
    ['user', user],
    ['decision', 'allow'],
    ...(scopes ?? scopesOf(body.authorizeUrl)).map((scope): [string, string] => ['scope', scope]),
  ]);
  const answer = await fetch(body.authorizeUrl, { method: 'POST', body: form, redirect: 'manual' });
  const landing = new URL(answer.headers.get('location') ?? 'http://no-redirect.invalid');
  return Object.fromEntries([...landing.searchParams].filter(([name]) => ['state', 'code', 'error'].includes(name)));
}

/** All requested scopes. Google and Microsoft separate scopes by spaces, Meta by commas. */
const scopesOf = (authorizeUrl: string): string[] => (new URL(authorizeUrl).searchParams.get('scope') ?? '').split(/[ ,]/);

export async function aDraftApp(organization: Organization, provider = 'google_ads'): Promise<string> {
  const { body } = expectStatus(await organization.call.post<{ id: string }>(`${organization.path}/apps`, { provider }), 201);
  return body.id;
}

export async function aConnectedApp(
  organization: Organization,
  user = 'demo@example.com',
  provider = 'google_ads',
): Promise<string> {
  const appId = await aDraftApp(organization, provider);
  expectStatus(await authorize(organization, appId, user), 200);
  return appId;
}

export async function aSource(
  organization: Organization,
  options: { appId?: string; accountIds?: string[] } = {},
): Promise<string> {
  const appId = options.appId ?? (await aConnectedApp(organization));
  const accountIds = options.accountIds ?? ['9001000011'];
  const { body } = expectStatus(
    await organization.call.post<{ id: string }>(`${organization.path}/sources`, { appId, name: 'Search', accountIds }),
    201,
  );
  return body.id;
}

export const destinationBody = ({ settings: { password, ...settings } }: Warehouse): Record<string, unknown> => ({
  provider: 'postgresql',
  name: 'Warehouse',
  settings,
  credentials: { password },
});

export async function aDestination(organization: Organization, warehouse: Warehouse): Promise<string> {
  const { body } = expectStatus(
    await organization.call.post<{ id: string }>(`${organization.path}/destinations`, destinationBody(warehouse)),
    201,
  );
  return body.id;
}

export interface ConnectionOptions {
  sourceId?: string;
  accountIds?: string[];
  streams?: string[];
  /** Days of history before today. Fewer days make a test faster. */
  historyDays?: number;
  lookbackDays?: number | null;
}

/** A connection whose first run is queued. */
export async function aConnection(
  organization: Organization,
  warehouse: Warehouse,
  options: ConnectionOptions = {},
): Promise<Connection> {
  const { historyDays = 40, streams = ['campaign_daily', 'ad_group_daily'], lookbackDays = 7 } = options;
  const sourceId = options.sourceId ?? (await aSource(organization, { accountIds: options.accountIds }));
  const { body } = expectStatus(
    await organization.call.post<{ id: string }>(`${organization.path}/connections`, {
      name: 'Search to warehouse',
      sourceId,
      destinationId: await aDestination(organization, warehouse),
      streams,
      schedule: { kind: 'manual', timeZone: 'UTC' },
      lookbackDays,
      historyFrom: daysAgo(historyDays),
    }),
    201,
  );
  return { id: body.id, path: `${organization.path}/connections/${body.id}` };
}

/**
 * A day in the time zone of the sandbox's first accounts, from which most tests read. In UTC it would be another day in the hours
 * before midnight.
 */
export const daysAgo = (days: number): string => addDays(dayInTimeZone(new Date(), 'Europe/Berlin'), -days);

/** A day in UTC, for what the product counts in UTC: request budgets and pushed events. */
export const utcDaysAgo = (days: number): string => addDays(dayInTimeZone(new Date(), 'UTC'), -days);

export function expectStatus<Body>(answer: Answer<Body>, status: number): Answer<Body> {
  if (answer.status !== status)
    throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body).slice(0, 800)}`);
  return answer;
}

const SHORTEST_PAUSE_MS = 25;
/** Of the time so far: a long wait ends at most a tenth later, with far fewer looks. */
const PART_OF_WAIT = 1 / 10;
const LONGEST_PAUSE_MS = 500;

/** Waits until the condition holds, on a busy machine too: the limit only ends what hangs. The error contains the last value. */
export async function eventually<Value>(
  look: () => Promise<Value>,
  holds: (value: Value) => boolean,
  timeoutMs = 120_000,
): Promise<Value> {
  const begin = performance.now();
  for (;;) {
    const startedAt = performance.now();
    const value = await look();
    if (holds(value)) return value;
    const now = performance.now();
    if (now - begin > timeoutMs)
      throw new Error(`did not happen within ${timeoutMs} ms; last seen: ${JSON.stringify(value)?.slice(0, 1_500)}`);
    // A slow answer means that the processors are busy. Asking again at once would slow down what the test waits for.
    const pauseMs = Math.max(SHORTEST_PAUSE_MS, 3 * (now - startedAt), PART_OF_WAIT * (now - begin));
    await new Promise((resolve) => setTimeout(resolve, Math.min(pauseMs, LONGEST_PAUSE_MS)));
  }
}
