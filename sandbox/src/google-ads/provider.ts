import { toDayNumber } from '../clock.ts';
import { InvalidFault, type Fault } from '../faults.ts';
import { htmlTable, readRange, readStream, refusing } from '../parameters.ts';
import type { Provider } from '../provider.ts';
import { sendJson, type Exchange } from '../router.ts';
import { accounts, users, type Account } from './accounts.ts';
import type { ConversionStore } from './conversion-store.ts';
import { googleAdsFaults } from './faults.ts';
import type { Revocations } from './revocations.ts';
import { googleAdsRoutes } from './routes.ts';
import { GoogleAdsState } from './state.ts';
import { streamRows, streams, streamTotals } from './totals.ts';

export function googleAds(revocations: Revocations, conversions: ConversionStore): Provider {
  return {
    name: 'google-ads',
    title: 'Google Ads',
    faults: googleAdsFaults,
    open(parts) {
      const state = new GoogleAdsState(parts, revocations, conversions);
      return {
        routes: [
          ...googleAdsRoutes(state),
          { method: 'GET', path: /^\/admin\/google-ads\/totals$/, answer: refusing((exchange) => sendTotals(state, exchange)) },
          { method: 'GET', path: /^\/admin\/google-ads\/rows$/, answer: refusing((exchange) => sendRows(state, exchange)) },
        ],
        description,
        apply: (fault) => {
          if (fault.fault === 'restate') restate(state, fault);
        },
      };
    },
  };
}

const description = `<p><code>/google-ads/v25/…</code> · <code>/google-ads/oauth/auth</code> · <code>/google-ads/oauth/token</code> · <code>/google-ads/oauth/revoke</code></p>
${htmlTable(
  'Users',
  [...users.values()].map((user) => [user.email, user.description]),
)}
${htmlTable(
  'Accounts',
  [...accounts.values()].map((account) => [account.id, account.descriptiveName, `${account.currencyCode}, ${account.timeZone}`]),
)}`;

function sendTotals(state: GoogleAdsState, { response, url }: Exchange): void {
  const account = findAccount(url.searchParams.get('customerId'));
  const { from, to } = readRange(url.searchParams.get('from'), url.searchParams.get('to'));
  const names = Object.keys(streams) as (keyof typeof streams)[];
  const totals = Object.fromEntries(names.map((name) => [name, streamTotals(state, account, name, from, to)]));
  sendJson(response, 200, { streams: totals });
}

function sendRows(state: GoogleAdsState, { response, url }: Exchange): void {
  const account = findAccount(url.searchParams.get('customerId'));
  const { from, to } = readRange(url.searchParams.get('from'), url.searchParams.get('to'));
  const name = readStream(url.searchParams, Object.keys(streams) as (keyof typeof streams)[]);
  sendJson(response, 200, { rows: streamRows(state, account, name, from, to) });
}

function restate(state: GoogleAdsState, fault: Fault): void {
  const account = findAccount(fault.parameters.customerId);
  const { from, to } = readRange(fault.parameters.from, fault.parameters.to);
  state.restate(account.id, toDayNumber(from), toDayNumber(to));
}

function findAccount(id: unknown): Account {
  const account = typeof id === 'string' ? accounts.get(id) : undefined;
  if (!account) throw new InvalidFault(`Unknown customerId ${String(id)}`, { known: [...accounts.keys()] });
  return account;
}
