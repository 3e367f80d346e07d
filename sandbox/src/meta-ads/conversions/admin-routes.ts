import { InvalidFault } from '../../faults.ts';
import { readJsonObject, refusing } from '../../parameters.ts';
import { sendJson, type Exchange, type Route } from '../../router.ts';
import { users } from '../accounts.ts';
import type { MetaAdsState } from '../state.ts';
import { issueToken } from '../tokens.ts';
import { datasets, type Dataset } from './datasets.ts';
import type { ReceivedEvents } from './received-events.ts';

const defaultLimit = 1_000;
const neverSeconds = Number.MAX_SAFE_INTEGER;

export function conversionAdminRoutes(state: MetaAdsState, received: ReceivedEvents): Route[] {
  return [
    {
      method: 'GET',
      path: /^\/admin\/meta-ads\/received$/,
      answer: refusing(({ response, url }) => {
        const datasetId = url.searchParams.get('datasetId');
        const limit = Number(url.searchParams.get('limit') ?? defaultLimit);
        if (!Number.isInteger(limit) || limit < 1) throw new InvalidFault('limit must be a whole number of at least 1');
        const events = received.list(datasetId === null ? null : findDataset(datasetId).id);
        sendJson(response, 200, { totals: totalsOf(events), events: events.slice(-limit) });
      }),
    },
    {
      method: 'GET',
      path: /^\/admin\/meta-ads\/dataset-token$/,
      answer: refusing(({ response, url }) => {
        const dataset = findDataset(url.searchParams.get('datasetId'));
        sendJson(response, 200, { access_token: datasetToken(dataset) });
      }),
    },
    {
      method: 'POST',
      path: /^\/admin\/meta-ads\/browser-events$/,
      answer: refusing((exchange) => addBrowserEvent(state, received, exchange)),
    },
  ];
}

function totalsOf(events: ReturnType<ReceivedEvents['list']>): Record<string, number> {
  const countOf = (isCounted: (event: (typeof events)[number]) => boolean): number => events.filter(isCounted).length;
  return {
    received: events.length,
    rejected: countOf(({ outcome }) => outcome === 'rejected'),
    lost: countOf(({ outcome }) => outcome === 'lost'),
    stored: countOf(({ outcome }) => outcome === 'counted' || outcome === 'duplicate'),
    deduplicated: countOf(({ outcome }) => outcome === 'duplicate'),
    counted: countOf(({ outcome }) => outcome === 'counted'),
    attributed: countOf(({ outcome, isMatched }) => outcome === 'counted' && isMatched),
  };
}

/** As created in Events Manager: it never expires and belongs to one dataset. */
function datasetToken(dataset: Dataset): string {
  const owner = [...users.values()].find(({ accountIds }) => accountIds.includes(dataset.ownerAccountId));
  return issueToken({
    user: owner?.email ?? '',
    clientId: 'events-manager',
    scopes: [],
    expiresAt: neverSeconds,
    dataAccessExpiresAt: neverSeconds,
    datasetId: dataset.id,
  });
}

/** What the pixel in a visitor's browser sends. */
function addBrowserEvent(state: MetaAdsState, received: ReceivedEvents, { response, body }: Exchange): void {
  const event = readJsonObject(body);
  const { datasetId, event_name: name, event_id: id } = event;
  if (typeof name !== 'string') throw new InvalidFault('event_name must be a text');
  const batch = {
    datasetId: findDataset(datasetId).id,
    channel: 'browser' as const,
    receivedAt: state.clock.now().getTime(),
  };
  const userData = { fbp: 'fb.1.1.1' };
  const read = { name, id: typeof id === 'string' ? id : null, time: state.nowSeconds(), actionSource: 'website' };
  received.accept(batch, [{ ...read, userData, customData: {} }], [event], 0, false);
  sendJson(response, 201, { totals: totalsOf(received.list(batch.datasetId)) });
}

function findDataset(id: unknown): Dataset {
  const dataset = typeof id === 'string' ? datasets.get(id) : undefined;
  if (!dataset) throw new InvalidFault(`Unknown datasetId ${String(id)}`, { known: [...datasets.keys()] });
  return dataset;
}
