import { InvalidFault } from '../faults.ts';
import type { Revocations } from '../google-ads/revocations.ts';
import { htmlTable, refusing } from '../parameters.ts';
import type { Provider } from '../provider.ts';
import { ANY_ORIGIN, sendJson, type Exchange } from '../router.ts';
import { BigQueryFaults, bigQueryFaults } from './faults.ts';
import { Jobs } from './jobs.ts';
import { projects, serviceAccounts } from './principals.ts';
import { baseUrlOf, bigQueryRoutes } from './routes.ts';
import { ServiceAccounts } from './service-accounts.ts';
import { Store } from './store.ts';
import { readRows, readTotals } from './stored-rows.ts';

export function bigquery(revocations: Revocations): Provider {
  return {
    name: 'bigquery',
    title: 'BigQuery',
    faults: bigQueryFaults,
    open({ clock, faults: allFaults, dataDir }) {
      const store = new Store(clock, dataDir);
      const faults = new BigQueryFaults(allFaults);
      const accounts = new ServiceAccounts(clock, dataDir);
      const bigQuery = { store, faults, jobs: new Jobs(store, faults) };
      const admin = (path: RegExp, answer: (exchange: Exchange) => unknown) => ({
        method: 'GET' as const,
        path,
        // The product's web app offers the key in a demo.
        answer: refusing((exchange) => sendJson(exchange.response, 200, answer(exchange), ANY_ORIGIN)),
      });
      return {
        routes: [
          ...bigQueryRoutes(bigQuery, accounts, revocations),
          admin(/^\/admin\/bigquery\/service-account$/, (exchange) =>
            accounts.keyFile(exchange.url.searchParams.get('name') ?? 'loader', baseUrlOf(exchange)),
          ),
          admin(/^\/admin\/bigquery\/totals$/, ({ url }) => readTotals(store, url.searchParams)),
          admin(/^\/admin\/bigquery\/rows$/, ({ url }) => readRows(store, url.searchParams)),
        ],
        description,
        apply: ({ parameters }) => {
          const { everyNth = 20 } = parameters;
          if (!Number.isInteger(everyNth) || Number(everyNth) < 1)
            throw new InvalidFault('everyNth must be a whole number of at least 1');
        },
      };
    },
  };
}

const description = `<p><code>/bigquery-api/bigquery/v2/…</code> · <code>/bigquery-api/upload/bigquery/v2/…</code> · <code>/bigquery-api/token</code> ·
<a href="/admin/bigquery/service-account">a key file</a></p>
${htmlTable(
  'Projects',
  [...projects.values()].map(({ id, friendlyName }) => [id, friendlyName]),
)}
${htmlTable(
  'Service accounts',
  [...serviceAccounts].map(([name, account]) => [name, account.email, account.description]),
)}`;
