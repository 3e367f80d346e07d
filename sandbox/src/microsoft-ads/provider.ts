import { toDayNumber } from '../clock.ts';
import { InvalidFault, type Fault } from '../faults.ts';
import { htmlTable, readRange, readStream, refusing } from '../parameters.ts';
import type { Provider } from '../provider.ts';
import { sendJson, type Exchange } from '../router.ts';
import { accounts, users, type Account } from './accounts.ts';
import { conversionAdminRoutes, renewTagKey } from './conversions/admin-routes.ts';
import { ConversionOperations } from './conversions/operations.ts';
import { UetApi } from './conversions/uet-api.ts';
import { seededGoals } from './conversions/upload-goals.ts';
import { microsoftAdsFaults } from './faults.ts';
import { microsoftAdsRoutes } from './routes.ts';
import { MicrosoftAdsState } from './state.ts';
import { streamRows, streams, streamTotals, type StreamReport } from './totals.ts';

export const microsoftAds: Provider = {
  name: 'microsoft-ads',
  title: 'Microsoft Advertising',
  faults: microsoftAdsFaults,
  open({ clock, faults, dataDir }) {
    const state = new MicrosoftAdsState(clock, faults, dataDir);
    const conversions = new ConversionOperations(state, dataDir);
    const uet = new UetApi(state, conversions.received);
    return {
      routes: [
        ...microsoftAdsRoutes(state, conversions, uet),
        ...conversionAdminRoutes(state, conversions.received, uet),
        { method: 'GET', path: /^\/admin\/microsoft-ads\/totals$/, answer: refusing((exchange) => sendTotals(state, exchange)) },
        { method: 'GET', path: /^\/admin\/microsoft-ads\/rows$/, answer: refusing((exchange) => sendRows(state, exchange)) },
      ],
      description,
      apply: (fault) => {
        if (fault.fault === 'restate') restate(state, fault);
        if (fault.fault === 'renew_key') renewTagKey(conversions.received, fault);
      },
    };
  },
};

const listedAccounts = [...accounts.values()].filter(({ customerId }) => customerId !== '160100003');
const description = `<p><code>/microsoft-ads/oauth2/v2.0/authorize</code> · <code>/microsoft-ads/oauth2/v2.0/token</code> · <code>/microsoft-ads/CustomerManagement/v13/…</code> · <code>/microsoft-ads/CampaignManagement/v13/…</code> · <code>/microsoft-ads/Reporting/v13/…</code> · <code>/microsoft-ads/uet/v1/&lt;tag&gt;/events</code></p>
${htmlTable(
  'Users',
  [...users.values()].map((user) => [user.email, user.description]),
)}
${htmlTable(
  'Accounts',
  listedAccounts.map((account) => [
    account.id,
    account.name,
    `${account.currencyCode}, ${account.timeZone}`,
    `UET tag ${account.id.slice(1)}`,
    seededGoals(account)
      .map(({ name }) => name)
      .join(', '),
  ]),
)}`;

function sendTotals(state: MicrosoftAdsState, { response, url }: Exchange): void {
  const account = findAccount(url.searchParams.get('accountId'));
  const { from, to } = readRange(url.searchParams.get('from'), url.searchParams.get('to'));
  const totals = Object.entries(streams).map(([name, stream]) => [name, streamTotals(state, account, stream, from, to)]);
  sendJson(response, 200, { streams: Object.fromEntries(totals) });
}

function sendRows(state: MicrosoftAdsState, { response, url }: Exchange): void {
  const account = findAccount(url.searchParams.get('accountId'));
  const { from, to } = readRange(url.searchParams.get('from'), url.searchParams.get('to'));
  const name = readStream(url.searchParams, Object.keys(streams));
  sendJson(response, 200, { rows: streamRows(state, account, streams[name] as StreamReport, from, to) });
}

function restate(state: MicrosoftAdsState, fault: Fault): void {
  const account = findAccount(fault.parameters.accountId);
  const { from, to } = readRange(fault.parameters.from, fault.parameters.to);
  state.restate(account.id, toDayNumber(from), toDayNumber(to));
}

function findAccount(id: unknown): Account {
  const account = typeof id === 'string' ? accounts.get(id) : undefined;
  if (!account) throw new InvalidFault(`Unknown accountId ${String(id)}`, { known: listedAccounts.map((one) => one.id) });
  return account;
}
