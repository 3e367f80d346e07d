import {
  BIGQUERY,
  daysAgo,
  destinations,
  HISTORY_DAYS,
  keysOf,
  MIXPANEL_PROJECT,
  type DestinationKind,
  type Pair,
  sources,
  type SourceKind,
} from './pairs.js';
import type { Scene } from './scene.js';

type Place = Pick<Scene, 'call' | 'admin' | 'warehouse'>;

/** Connects each source to each destination as a user does, through the API. Their first runs are queued. */
export async function connectPairs(scene: Place, of: readonly SourceKind[] = sources): Promise<Pair[]> {
  // Mixpanel's published limits are lower than what a drill of a few minutes reads.
  await scene.admin('mixpanel/limits', { exportsPerHour: 1_000_000, exportsPerSecond: 1_000, queriesPerHour: 1_000_000 });
  const destinationIds = new Map<DestinationKind, string>();
  for (const kind of destinations) destinationIds.set(kind, await createDestination(scene, kind));
  const pairs: Pair[] = [];
  for (const source of of) {
    const sourceId = await createSource(scene, source);
    for (const destination of destinations) {
      const { id } = await scene.call('POST', '/connections', {
        name: `${source.provider} to ${destination}`,
        sourceId,
        destinationId: destinationIds.get(destination),
        streams: keysOf(source).map(([stream]) => stream),
        schedule: { kind: 'manual', timeZone: 'UTC' },
        lookbackDays: HISTORY_DAYS,
        historyFrom: daysAgo(HISTORY_DAYS),
      });
      pairs.push({ source, destination, connectionId: id });
    }
  }
  return pairs;
}

async function createDestination({ call, admin, warehouse }: Place, kind: DestinationKind): Promise<string> {
  const { password, ...place } = warehouse;
  const bodies = {
    postgresql: () => ({
      settings: { ...place, schema: 'public', sslMode: 'disable', tablePrefix: '' },
      credentials: { password },
    }),
    mixpanel: () => ({
      settings: { projectId: MIXPANEL_PROJECT, residency: 'US' },
      credentials: { username: 'loader.f5a1c2.mp-service-account', secret: 'sandbox-loader-secret' },
    }),
    bigquery: async () => ({
      settings: { ...BIGQUERY, location: 'EU' },
      credentials: { serviceAccountKey: JSON.stringify(await admin('bigquery/service-account?name=loader')) },
    }),
  };
  return (await call('POST', '/destinations', { provider: kind, name: kind, ...(await bodies[kind]()) })).id;
}

async function createSource({ call }: Place, { provider, accountId, user }: SourceKind): Promise<string> {
  const app = await call('POST', '/apps', { provider });
  const { authorizeUrl } = await call<{ authorizeUrl: string }>('POST', `/apps/${app.id}/oauth/start`);
  const scopes = (new URL(authorizeUrl).searchParams.get('scope') ?? '').split(/[ ,]/);
  const form = new URLSearchParams([
    ['user', user],
    ['decision', 'allow'],
    ...scopes.map((scope): [string, string] => ['scope', scope]),
  ]);
  const answer = await fetch(authorizeUrl, { method: 'POST', body: form, redirect: 'manual' });
  const { searchParams } = new URL(answer.headers.get('location') ?? '');
  await call('POST', '/apps/oauth/complete', { state: searchParams.get('state'), code: searchParams.get('code') });
  return (await call('POST', '/sources', { appId: app.id, name: provider, accountIds: [accountId] })).id;
}
