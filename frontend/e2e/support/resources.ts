import { endSignIns, post } from './calls.ts';
import type { Person } from './calls.ts';
import { daysAgo } from './days.ts';
import { instance, warehouse } from './instance.ts';

/** Creates resources with the requests of the web app. */

const of = (organizationId: string): string => `${instance().url}/api/v1/organizations/${organizationId}`;

export async function get<T>(person: Person, url: string): Promise<T> {
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${person.token}` } });
  if (!answer.ok) throw new Error(`${url} returned status ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

export interface CreatedSource {
  id: string;
  appId: string;
}

/** The only source of the organization. */
export const findSource = async (person: Person, organizationId: string): Promise<CreatedSource> =>
  (await get<{ items: CreatedSource[] }>(person, `${of(organizationId)}/sources`)).items[0]!;

export async function createWarehouse(person: Person, organizationId: string, tablePrefix: string): Promise<string> {
  const { host, port, database, user, password } = warehouse();
  const settings = { host, port: Number(port), database, user, schema: 'public', sslMode: 'prefer', tablePrefix };
  const body = { provider: 'postgresql', name: 'Warehouse', settings, credentials: { password } };
  return (await post<{ id: string }>(`${of(organizationId)}/destinations`, body, person.token)).id;
}

/** In a dataset of its own. */
export async function createBigQuery(person: Person, organizationId: string, datasetId: string): Promise<string> {
  const key = await fetch(`${instance().sandboxUrl}/admin/bigquery/service-account?name=loader`);
  const settings = { projectId: 'northwind-marketing', datasetId, location: 'EU' };
  const body = { provider: 'bigquery', name: 'BigQuery', settings, credentials: { serviceAccountKey: await key.text() } };
  return (await post<{ id: string }>(`${of(organizationId)}/destinations`, body, person.token)).id;
}

interface ConnectionState {
  version: number;
  activeRun: object | null;
  lastRun: object | null;
}

/** Creates a connection, waits for its first run, ends the sign-in of its app, and moves its start date back: the earlier days are missing. */
export async function createConnectionWithMissedDays(
  person: Person,
  organizationId: string,
  made: { sourceId: string; destinationId: string; streams: string[] },
): Promise<string> {
  const body = { ...made, name: 'Search', schedule: { kind: 'manual', timeZone: 'UTC' }, historyFrom: daysAgo(3) };
  const { id } = await post<{ id: string }>(`${of(organizationId)}/connections`, body, person.token);
  const url = `${of(organizationId)}/connections/${id}`;
  let state = await get<ConnectionState>(person, url);
  while (state.activeRun !== null || state.lastRun === null) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    state = await get<ConnectionState>(person, url);
  }
  // Before the start date is changed, so that no run loads the added days.
  await endSignIns(organizationId);
  const response = await fetch(url, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ historyFrom: daysAgo(20), version: state.version }),
  });
  if (!response.ok) throw new Error(`Changing the start date returned status ${response.status}: ${await response.text()}`);
  return id;
}
