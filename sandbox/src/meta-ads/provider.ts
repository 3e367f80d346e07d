import { toDayNumber } from '../clock.ts';
import { InvalidFault, type Fault } from '../faults.ts';
import { htmlTable, readRange, readStream, refusing } from '../parameters.ts';
import type { Provider } from '../provider.ts';
import { sendJson, type Exchange } from '../router.ts';
import { accounts, users, type Account } from './accounts.ts';
import { conversionAdminRoutes } from './conversions/admin-routes.ts';
import { datasets } from './conversions/datasets.ts';
import { ReceivedEvents } from './conversions/received-events.ts';
import { metaAdsFaults } from './faults.ts';
import { contextOf } from './insights.ts';
import { metaAdsRoutes } from './routes.ts';
import { MetaAdsState } from './state.ts';
import { listedStreams, streamRows, streamTotals } from './totals.ts';

export const metaAds: Provider = {
  name: 'meta-ads',
  title: 'Meta Ads',
  faults: metaAdsFaults,
  open({ clock, faults, dataDir }) {
    const state = new MetaAdsState(clock, faults, dataDir);
    const received = new ReceivedEvents(dataDir);
    return {
      routes: [
        ...metaAdsRoutes(state, received),
        ...conversionAdminRoutes(state, received),
        { method: 'GET', path: /^\/admin\/meta-ads\/totals$/, answer: refusing((exchange) => sendTotals(state, exchange)) },
        { method: 'GET', path: /^\/admin\/meta-ads\/rows$/, answer: refusing((exchange) => sendRows(state, exchange)) },
      ],
      description,
      apply: (fault) => {
        if (fault.fault === 'restate') restate(state, fault);
      },
    };
  },
};

const description = `<p><code>/meta-ads/v26.0/…</code> · <code>/meta-ads/v26.0/dialog/oauth</code> · <code>/meta-ads/v26.0/oauth/access_token</code> · <code>/meta-ads/v26.0/&lt;dataset&gt;/events</code></p>
${htmlTable(
  'Users',
  [...users.values()].map((user) => [user.email, user.description]),
)}
${htmlTable(
  'Accounts',
  [...accounts.values()].map((account) => [`act_${account.id}`, account.name, `${account.currency}, ${account.timeZone}`]),
)}
${htmlTable(
  'Datasets',
  [...datasets.values()].map(({ id, name, accountIds }) => [id, name, accountIds.map((one) => `act_${one}`).join(', ')]),
)}`;

function sendTotals(state: MetaAdsState, { response, url }: Exchange): void {
  const account = findAccount(url.searchParams.get('accountId'));
  const { from, to } = readRange(url.searchParams.get('from'), url.searchParams.get('to'));
  sendJson(response, 200, { streams: streamTotals(contextOf(state, account), toDayNumber(from), toDayNumber(to)) });
}

function sendRows(state: MetaAdsState, { response, url }: Exchange): void {
  const account = findAccount(url.searchParams.get('accountId'));
  const { from, to } = readRange(url.searchParams.get('from'), url.searchParams.get('to'));
  const stream = readStream(url.searchParams, listedStreams);
  sendJson(response, 200, { rows: streamRows(contextOf(state, account), stream, toDayNumber(from), toDayNumber(to)) });
}

function restate(state: MetaAdsState, fault: Fault): void {
  const account = findAccount(fault.parameters.accountId);
  const { from, to } = readRange(fault.parameters.from, fault.parameters.to);
  state.restate(account.id, toDayNumber(from), toDayNumber(to));
}

function findAccount(id: unknown): Account {
  const account = typeof id === 'string' ? accounts.get(id.replace(/^act_/, '')) : undefined;
  if (!account) throw new InvalidFault(`Unknown accountId ${String(id)}`, { known: [...accounts.keys()] });
  return account;
}
