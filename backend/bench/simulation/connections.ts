import type pg from 'pg';
import { createDueConnections } from '../run-data.ts';
import type { Client } from '../api-data.ts';
import type { Login } from '../engine.ts';

/** Organizations that are created at the same time. */
const LANES = 4;

/**
 * Organizations with their connections, of the given sizes. Each organization has its own sign-in at the sandbox and its own schema at
 * the warehouse. Returns their ids in the order of the sizes.
 */
export async function createOrganizations(
  clients: Client[],
  person: { uid: string; email: string },
  database: pg.Pool,
  login: Login,
  sizes: readonly number[],
  onCreated: (count: number) => void,
): Promise<string[]> {
  const ids: string[] = [];
  let next = 0;
  let created = 0;
  const lane = async (client: Client) => {
    const session = await database.connect();
    try {
      for (let place = next++; place < sizes.length; place = next++) {
        const names = { count: sizes[place] ?? 0, prefix: `c`, schema: `organization_${place + 1}` };
        ids[place] = await createDueConnections(client, person, session, login, names);
        onCreated(++created);
      }
    } finally {
      session.release();
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, index) => lane(clients[index % clients.length] as Client)));
  return ids;
}
