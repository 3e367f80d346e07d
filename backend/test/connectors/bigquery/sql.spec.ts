import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reports as googleAds } from '../../../src/connectors/google-ads/streams.js';
import type { Destination, Fence, Row, Stream, Value } from '../../../src/connectors/kit/contract.js';
import { reports as metaAds } from '../../../src/connectors/meta-ads/streams.js';
import { reports as microsoftAds } from '../../../src/connectors/microsoft-ads/streams.js';
import { startBigQuery, type BigQueryWarehouse } from './bigquery-warehouse.js';
import { aContext } from '../context.js';
import { startRecordingProxy, type RecordedRequest, type RecordingProxy } from '../recording-proxy.js';
import { aSlice, anAccount, pagesOf } from '../rows.js';
import { startZetaSql, type CatalogTable, type NamedParameter, type ZetaSql } from './zeta-sql.js';

interface Statement {
  query: string;
  parameters: NamedParameter[];
}

interface QueryBody {
  query: string;
  queryParameters?: { name: string; parameterType: { type: string } }[];
}

interface TableBody {
  tableReference: { projectId: string; datasetId: string; tableId: string };
  schema: { fields: CatalogTable['fields'] };
}

/** Every stream of every platform. Different columns, keys and missing metrics produce different statements. */
const streams: Stream[] = [...googleAds, ...metaAds, ...microsoftAds].map(({ stream }) => stream);

let zetaSql: ZetaSql;
let warehouse: BigQueryWarehouse;
let proxy: RecordingProxy;
let statements: Statement[];
let tables: CatalogTable[];

beforeAll(async () => {
  zetaSql = await startZetaSql();
  warehouse = await startBigQuery();
  proxy = await startRecordingProxy(warehouse.sandbox.url);
  await useEveryStatement();
  statements = statementsOf(proxy.requests);
  tables = tablesOf(proxy.requests);
});
afterAll(async () => {
  zetaSql.stop();
  await proxy.stop();
  await warehouse.sandbox.stop();
});

/** A new method that sends other SQL must be called here too. */
const methods = ['check', 'close', 'locate', 'prepare', 'preview', 'readTable', 'replacement', 'tableName', 'totals', 'write'];

/** Calls every method of a destination, with one row of each stream. */
async function useEveryStatement(): Promise<void> {
  const operator = { baseUrl: `${proxy.url}/bigquery-api` };
  const destination = await warehouse.open({ operator });
  expect(Object.keys(destination).sort()).toEqual([...methods, 'provider'].sort());
  const checks = await destination.check(aContext());
  if (checks.some(({ state }) => state !== 'passed')) throw new Error(JSON.stringify(checks));
  await destination.prepare(aContext(), streams);
  await destination.locate(aContext(), streams);
  const fence = { runId: randomUUID(), leaseEpoch: 1n };
  for (const stream of streams) {
    const slice = aSlice({ stream });
    await destination.preview(aContext(), slice, pagesOf([rowOf(stream)], stream), fence);
    await destination.write(aContext(), slice, pagesOf([rowOf(stream)], stream), fence);
    await destination.totals(aContext(), slice);
    const range = { accountIds: [slice.account.externalId], from: slice.from, to: slice.to };
    await destination.readTable?.(aContext(), stream, range);
    await resync(destination, stream, fence);
  }
  await destination.write(aContext(), aSlice(), pagesOf([]), fence);
  await destination.close();
}

async function resync({ prepare, replacement }: Destination, stream: Stream, fence: Fence): Promise<void> {
  const beside = { ...stream, table: `${stream.table}_n${streams.indexOf(stream)}` };
  const loaded = [{ accountId: anAccount.externalId, from: '2026-01-01', to: '2026-01-03' }];
  const target = (await prepare(aContext(), [beside])).get(stream.name);
  if (!replacement || !target) throw new Error('BigQuery replaces tables');
  await replacement.inspect(aContext(), stream);
  await replacement.swap(aContext(), { stream, beside, loaded }, fence);
  if (!(await replacement.isSwapped(aContext(), { stream, beside }, target))) throw new Error(`${stream.name} was not swapped`);
  await replacement.drop(aContext(), beside);
}

function rowOf(stream: Stream): Row {
  const values: Record<string, Value> = { text: 'A', bigint: 1n, double: 1.5, date: '2026-01-01', boolean: true };
  const row = Object.fromEntries(stream.columns.map(({ name, type }): [string, Value] => [name, values[type] ?? null]));
  const scope = stream.scope ? { [stream.scope.column]: stream.scope.value } : {};
  return { ...row, account_id: anAccount.externalId, ...scope };
}

function statementsOf(requests: RecordedRequest[]): Statement[] {
  return requests.flatMap(({ path, body }) => {
    if (path.endsWith('/queries')) return [statementOf(body as QueryBody)];
    const { configuration } = body as { configuration?: { query?: QueryBody } };
    return configuration?.query ? [statementOf(configuration.query)] : [];
  });
}

const statementOf = ({ query, queryParameters = [] }: QueryBody): Statement => ({
  query,
  parameters: queryParameters.map(({ name, parameterType }) => ({ name, type: parameterType.type })),
});

/** All created tables, including deleted staging and check tables. */
function tablesOf(requests: RecordedRequest[]): CatalogTable[] {
  return requests
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/tables'))
    .map(({ body }) => {
      const { tableReference, schema } = body as TableBody;
      const { projectId, datasetId, tableId } = tableReference;
      return { name: `${projectId}.${datasetId}.${tableId}`, fields: schema.fields };
    });
}

const find = (part: string): Statement => {
  const statement = statements.find(({ query }) => query.includes(part));
  if (!statement) throw new Error(`No statement contains ${part}`);
  return statement;
};

it('the sample queries of docs/reporting.md resolve in BigQuery, with the dataset before the table', async () => {
  const page = readFileSync(new URL('../../../../docs/reporting.md', import.meta.url), 'utf8');
  const samples = [...page.matchAll(/```sql\n(select[^`]+)```/g)].map(([, text = '']) => text);
  expect(samples).toHaveLength(2);
  const inMarketing = tables.map(({ name, fields }) => ({ name: name.replace(/^.+\./, 'marketing.'), fields }));
  // The analyzer's catalog has no datasets, so the path is one quoted name.
  for (const sample of samples) await zetaSql.analyze(sample.replace(/ from (\w+)/, ' from `marketing.$1`'), inMarketing);
});

it('every statement sent to BigQuery parses and resolves against the created tables', async () => {
  const kinds = new Set<string>();
  const failures: string[] = [];
  for (const { query, parameters } of statements)
    await zetaSql.analyze(query, tables, parameters).then(
      (found) => found.forEach((kind) => kinds.add(kind)),
      (error: unknown) => failures.push(`${String(error)}\n${query}`),
    );
  expect(failures).toEqual([]);
  // At least the replacement and the totals of each stream.
  expect(statements.length).toBeGreaterThan(2 * streams.length);
  expect([...kinds].sort()).toEqual(
    [
      ...['Begin', 'Commit', 'Delete', 'Insert', 'Query', 'Update'].map((kind) => `resolved${kind}StmtNode`),
      'resolvedCreateStatementNode',
    ].sort(),
  );
});

describe('a wrong statement', () => {
  it.each([
    ['names a column that no table has', 'COUNT(`impressions`)', 'COUNT(`impression`)', /Unrecognized name: `?impression/],
    ['names a missing table', '.ads.', '.adz.', /Table not found/],
    ['compares values of different types', '`account_id` = @slice_0', '`account_id` = 1', /No matching signature/],
    ['does not parse', 'GROUP BY date', 'GROUP date', /Syntax error/],
  ])('is rejected when it %s', async (_what, part, replacement, message) => {
    const { query, parameters } = find('GROUP BY date');
    expect(query).toContain(part);
    await expect(zetaSql.analyze(query.replace(part, replacement), tables, parameters)).rejects.toThrow(message);
  });

  it('is rejected inside a script', async () => {
    const { query, parameters } = find('INSERT INTO');
    const broken = query.replace(/INSERT INTO (\S+) \(/, 'INSERT INTO $1 (`no_such_column`, ');
    await expect(zetaSql.analyze(broken, tables, parameters)).rejects.toThrow(/no_such_column/);
  });

  it('is rejected with a missing parameter', async () => {
    const { query, parameters } = find('@run_id');
    const others = parameters.filter(({ name }) => name !== 'run_id');
    await expect(zetaSql.analyze(query, tables, others)).rejects.toThrow(/parameter.*run_id/i);
  });
});
