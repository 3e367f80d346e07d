import type { Occasion } from '../faults.ts';
import type { Revocations } from '../google-ads/revocations.ts';
import { sendJson, type Exchange, type Route } from '../router.ts';
import { authenticate } from './access.ts';
import { pageOf, type BigQuery, type Call } from './call.ts';
import { changeDataset, deleteDataset, getDataset, insertDataset, listDatasets } from './datasets.ts';
import { BigQueryError, notFound, sendError } from './errors.ts';
import { cancelJob, getJob, insertJob, listJobs } from './job-routes.ts';
import { projects, type Principal } from './principals.ts';
import { QueryRoutes } from './query-routes.ts';
import { TokenRefused, type ServiceAccounts } from './service-accounts.ts';
import { getIamPolicy, insertRowAccessPolicy, listRowAccessPolicies, setIamPolicy } from './table-policies.ts';
import { changeTable, deleteTable, getTable, insertTable, listRows, listTables } from './tables.ts';
import { Uploads } from './uploads.ts';

type Answer = (call: Call) => void | Promise<void>;
type Method = Route['method'];

const api = '/bigquery-api/bigquery/v2';
const project = `${api}/projects/(?<projectId>[^/]+)`;
const dataset = `${project}/datasets/(?<datasetId>[^/]+)`;
const table = `${dataset}/tables/(?<tableId>[^/]+)`;
const job = `${project}/jobs/(?<jobId>[^/]+)`;
const upload = '/bigquery-api/(?:resumable/)?upload/bigquery/v2/projects/(?<projectId>[^/]+)/jobs';

export function bigQueryRoutes(bigQuery: BigQuery, accounts: ServiceAccounts, revocations: Revocations): Route[] {
  const queries = new QueryRoutes(bigQuery);
  const uploads = new Uploads(bigQuery);
  const route = (method: Method, path: string, resource: string, answer: Answer, isStreamed = false): Route => ({
    method,
    path: new RegExp(`^${path}$`),
    isStreamed,
    answer: (exchange) => answerCall(bigQuery, revocations, exchange, resource, answer),
  });
  const change: Method[] = ['PATCH', 'PUT'];
  return [
    { method: 'POST', path: /^\/bigquery-api\/token$/, answer: (exchange) => answerToken(bigQuery, accounts, exchange) },
    route('GET', `${api}/projects`, 'projects', listProjects),
    route('GET', `${project}/datasets`, 'datasets', (call) => listDatasets(bigQuery, call)),
    route('POST', `${project}/datasets`, 'datasets', (call) => insertDataset(bigQuery, call)),
    route('GET', dataset, 'datasets', (call) => getDataset(bigQuery, call)),
    ...change.map((method) => route(method, dataset, 'datasets', (call) => changeDataset(bigQuery, call))),
    route('DELETE', dataset, 'datasets', (call) => deleteDataset(bigQuery, call)),
    route('GET', `${dataset}/tables`, 'tables', (call) => listTables(bigQuery, call)),
    route('POST', `${dataset}/tables`, 'tables', (call) => insertTable(bigQuery, call)),
    route('GET', table, 'tables', (call) => getTable(bigQuery, call)),
    ...change.map((method) => route(method, table, 'tables', (call) => changeTable(bigQuery, call))),
    route('DELETE', table, 'tables', (call) => deleteTable(bigQuery, call)),
    route('GET', `${table}/rowAccessPolicies`, 'tables', (call) => listRowAccessPolicies(bigQuery, call)),
    route('POST', `${table}/rowAccessPolicies`, 'tables', (call) => insertRowAccessPolicy(bigQuery, call)),
    route('POST', `${table}:getIamPolicy`, 'tables', (call) => getIamPolicy(bigQuery, call)),
    route('POST', `${table}:setIamPolicy`, 'tables', (call) => setIamPolicy(bigQuery, call)),
    route('GET', `${table}/data`, 'tables', (call) => listRows(bigQuery, call)),
    route('GET', `${project}/jobs`, 'jobs', (call) => listJobs(bigQuery, call)),
    route('POST', `${project}/jobs`, 'jobs', (call) => insertJob(bigQuery, call)),
    route('GET', job, 'jobs', (call) => getJob(bigQuery, call)),
    route('POST', `${job}/cancel`, 'jobs', (call) => cancelJob(bigQuery, call)),
    route('POST', `${project}/queries`, 'queries', (call) => queries.query(call)),
    route('GET', `${project}/queries/(?<jobId>[^/]+)`, 'queries', (call) => queries.results(call)),
    route('POST', upload, 'upload', (call) => uploads.start(call), true),
    { ...route('PUT', upload, 'upload', () => {}), isStreamed: true, answer: (exchange) => resume(bigQuery, uploads, exchange) },
    ...(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
      route(method, '/bigquery-api/.*', 'other', unknownPath),
    ),
  ];
}

function unknownPath({ request, url }: Call): never {
  throw notFound(`${request.method} ${url.pathname}`);
}

function listProjects({ principal, response, url }: Call): void {
  const reached = principal.roles.length > 0 ? [...projects.values()] : [];
  const { items, nextPageToken } = pageOf(reached, url.searchParams);
  const listed = items.map(({ id, number, friendlyName }) => ({
    kind: 'bigquery#project',
    id,
    numericId: number,
    projectReference: { projectId: id },
    friendlyName,
  }));
  sendJson(response, 200, {
    kind: 'bigquery#projectList',
    ...(listed.length > 0 && { projects: listed }),
    totalItems: reached.length,
    ...(nextPageToken && { nextPageToken }),
  });
}

/** Common handling of all calls: faults, authentication and errors in BigQuery's format. */
async function answerCall(
  bigQuery: BigQuery,
  revocations: Revocations,
  exchange: Exchange,
  resource: string,
  answer: Answer,
): Promise<void> {
  await translated(exchange, async () => {
    const call = readCall(exchange, resource);
    if (!(await bigQuery.faults.strikeEarly(exchange, call.occasion))) return;
    const principal: Principal = authenticate(exchange.request, bigQuery.faults, revocations);
    bigQuery.faults.strikeAccess(exchange, call.occasion);
    await answer({ ...call, principal });
  });
}

async function resume(bigQuery: BigQuery, uploads: Uploads, exchange: Exchange): Promise<void> {
  await translated(exchange, async () => {
    const call = readCall(exchange, 'upload');
    if (await bigQuery.faults.strikeEarly(exchange, call.occasion)) await uploads.resume(call);
  });
}

async function answerToken(bigQuery: BigQuery, accounts: ServiceAccounts, exchange: Exchange): Promise<void> {
  exchange.log.provider = 'bigquery';
  try {
    if (!(await bigQuery.faults.strikeEarly(exchange, { endpoint: 'token' }))) return;
    const tokenUrl = `${baseUrlOf(exchange)}/bigquery-api/token`;
    const isDeleted = ({ email }: Principal): boolean => bigQuery.faults.findForToken('delete_account', email, 0);
    sendJson(exchange.response, 200, accounts.token(new URLSearchParams(exchange.body), tokenUrl, isDeleted));
  } catch (error) {
    if (error instanceof TokenRefused) return sendJson(exchange.response, 400, error.body);
    if (!(error instanceof BigQueryError)) throw error;
    sendJson(exchange.response, error.status, { error: 'internal_failure', error_description: error.message });
  }
}

async function translated(exchange: Exchange, work: () => Promise<void>): Promise<void> {
  exchange.log.provider = 'bigquery';
  try {
    await work();
  } catch (error) {
    if (!(error instanceof BigQueryError)) throw error;
    sendError(exchange, error);
  }
}

function readCall(exchange: Exchange, resource: string): Omit<Call, 'principal'> {
  const params = Object.fromEntries(Object.entries(exchange.params).map(([name, value]) => [name, decodeURIComponent(value)]));
  const occasion: Occasion = {
    endpoint: 'api',
    resource,
    ...(params.projectId && { projectId: params.projectId }),
    ...(params.tableId && { table: params.tableId }),
  };
  return { ...exchange, params, occasion, baseUrl: baseUrlOf(exchange) };
}

export function baseUrlOf({ request }: Exchange): string {
  return `http://${request.headers.host ?? '127.0.0.1'}`;
}
