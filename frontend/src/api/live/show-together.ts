import { unstable_serialize } from 'swr';
import type { Cache, ScopedMutator } from 'swr';
import { getConnection } from '~/api/connections/connections';
import { getDaily } from '~/api/connections/coverage';
import { getProof, getRun, listRuns } from '~/api/connections/runs';
import { hasItems, keys, keysAboutConnection, keysOf } from '~/api/http/keys';
import { isRecord } from '~/lib/is-record';
import type { Connection, ConnectionPage } from '~/api/types';

interface Stored {
  cache: Cache;
  mutate: ScopedMutator;
}

const withoutRequest = { revalidate: false };
const isDaily = (key: unknown, organizationId: string, connectionId: string): key is ReturnType<typeof keys.daily> =>
  Array.isArray(key) && key[0] === 'daily' && key[1] === organizationId && key[2] === connectionId;

/** Keys of daily totals on the page. SWR stores the key of each entry in `_k`. */
const dailyKeys = (cache: Cache, organizationId: string, connectionId: string) =>
  [...cache.keys()].flatMap((name) => {
    const entry: unknown = cache.get(name);
    const key = isRecord(entry) ? entry._k : undefined;
    return isDaily(key, organizationId, connectionId) ? [key] : [];
  });

const withConnection = (page: ConnectionPage | undefined, connection: Connection) =>
  hasItems(page) ? { ...page, items: page.items.map((item) => (item.id === connection.id ? connection : item)) } : page;

interface Changed {
  connectionId: string;
  /** The run that has ended, if this is known. */
  runId: string | null;
}

/**
 * Loads what is shown of a connection, then shows all of it at once: header, card, figures, rows and proof. Everything else about it is
 * loaded afterwards. Returns the connection if it is on the page.
 */
export async function showTogether(
  { cache, mutate }: Stored,
  organizationId: string,
  { connectionId, runId }: Changed,
): Promise<Connection | undefined> {
  const isLoaded = (key: readonly unknown[]) => cache.get(unstable_serialize([...key]))?.data !== undefined;
  const loadIf = <Data>(key: readonly unknown[] | null, load: () => Promise<Data>) =>
    key !== null && isLoaded(key) ? load() : Promise.resolve(undefined);
  const connectionKey = keys.connection(organizationId, connectionId);
  const runsKey = keys.runs(organizationId, connectionId);
  const runKey = runId === null ? null : keys.run(organizationId, runId);
  const ranges = dailyKeys(cache, organizationId, connectionId);
  const [connection, runs, run, proof, ...daily] = await Promise.all([
    loadIf(connectionKey, () => getConnection(organizationId, connectionId)),
    loadIf(runsKey, () => listRuns(organizationId, connectionId)),
    loadIf(runKey, () => getRun(organizationId, runId ?? '')),
    loadIf(runId === null ? null : runsKey, () => getProof(organizationId, runId ?? '')),
    ...ranges.map(([, , , range]) => getDaily(organizationId, connectionId, range as { from: string; to: string })),
  ]);
  if (connection) {
    void mutate(connectionKey, connection, withoutRequest);
    void mutate<ConnectionPage>(
      keysOf(organizationId, 'connections'),
      (page) => withConnection(page, connection),
      withoutRequest,
    );
  }
  if (runs) void mutate(runsKey, runs, withoutRequest);
  if (run) void mutate(keys.run(organizationId, run.id), run, withoutRequest);
  // Replaces a first request that is still active: its response can be older than the end of the run.
  else if (runKey !== null) void mutate(runKey);
  if (proof) void mutate(keys.proof(organizationId, connectionId, proof.runId), proof, withoutRequest);
  ranges.forEach((key, index) => void mutate(key, daily[index], withoutRequest));
  const shown = [connection && 'connection', runs && 'runs', ranges.length > 0 && 'daily'];
  const isRest = (key: unknown) =>
    keysAboutConnection(organizationId, connectionId)(key) && !(Array.isArray(key) && shown.includes(key[0] as string));
  void mutate(isRest);
  return connection;
}
