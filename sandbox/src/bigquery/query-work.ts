import { BigQueryError, notFound, statusOf } from './errors.ts';
import { alterTable } from './alter-table.ts';
import type { BigQuery } from './call.ts';
import { findLocation } from './datasets.ts';
import type { JobOutcome, Work } from './jobs.ts';
import { demandInDataset, findProject, may, type Principal } from './principals.ts';
import { readParameters } from './query-parameters.ts';
import { schemaOf } from './results.ts';
import { sqlTypeOf } from './schema.ts';
import type { Environment, TableInfo } from './sql/environment.ts';
import { dryRun, runScript, toSqlError } from './sql/run-script.ts';
import { parseScript } from './sql/script-parser.ts';
import { SqlError } from './sql/sql-error.ts';
import type { Statement } from './sql/syntax.ts';
import { StagedTable } from './table-creation.ts';
import { tableKey, type Dataset, type Table } from './store.ts';

/** BigQuery's minimum of billed bytes per table in a query. */
const leastBilledBytes = 10 * 1024 * 1024;

export interface QueryRequest {
  projectId: string;
  query: string;
  location: string | null;
  defaultDataset: { projectId?: string; datasetId: string } | null;
  parameters: unknown;
  maximumBytesBilled: number | null;
  principal: Principal;
  /** Nothing is executed. */
  isDryRun: boolean;
}

/** The location of a query and its work. Errors are found when the job runs, as in BigQuery. */
export function prepareQuery(bigQuery: BigQuery, request: QueryRequest): { location: string; work: Work } {
  const parsed = parseOrError(request.query);
  const given = request.location === null ? null : findLocation(request.location);
  const query = new QueryWork(bigQuery, request, given);
  if (parsed instanceof Error) return { location: given ?? 'US', work: { ...idle, run: () => failWith(parsed) } };
  const targets = parsed.flatMap(targetOf).map(({ path, isMutated }) => ({ table: query.peek(path), isMutated }));
  const location = query.location ?? targets[0]?.table?.dataset.location ?? query.locationOf(request.query) ?? 'US';
  query.location = location;
  return {
    location,
    work: {
      resource: 'query',
      // A load script begins with the fence table.
      table: targets.at(-1)?.table?.table?.tableId,
      mutates: targets.flatMap(({ table, isMutated }) => (isMutated && table?.table ? [tableKey(table.table)] : [])),
      isTransaction: parsed.some(({ kind }) => kind === 'begin'),
      run: (beforeApplying) => query.run(parsed, beforeApplying),
    },
  };
}

const idle = { resource: 'query' as const, mutates: [], isTransaction: false };

class QueryWork {
  location: string | null;
  readonly #bigQuery: BigQuery;
  readonly #request: QueryRequest;
  readonly #read = new Set<Table>();

  constructor(bigQuery: BigQuery, request: QueryRequest, location: string | null) {
    this.#bigQuery = bigQuery;
    this.#request = request;
    this.location = location;
  }

  run(statements: Statement[], beforeApplying: () => Promise<void>): ReturnType<Work['run']> {
    const [only] = statements;
    if (only?.kind === 'create' && statements.length === 1) return this.#create(only, beforeApplying);
    const { store, faults } = this.#bigQuery;
    const { projectId, query } = this.#request;
    const isChange = statements.some((statement) => targetOf(statement).length > 0);
    const lacksBilling =
      !findProject(projectId).hasBilling || faults.strike('billing_not_enabled', { endpoint: 'api', projectId });
    if (isChange && lacksBilling) throw new BigQueryError(403, 'billingNotEnabled', billingNotEnabled);
    try {
      const environment = this.#environment();
      const { rows, affectedRows, statementType } = this.#request.isDryRun
        ? dryRun(query, statements, environment)
        : runScript(store.database, query, statements, environment);
      const more = {
        ...(affectedRows !== null && { numDmlAffectedRows: String(affectedRows) }),
        ...(rows && { schema: schemaOf(rows.columns) }),
      };
      const children = statementType === 'SCRIPT' ? { numChildJobs: String(statements.length) } : {};
      return {
        rows: rows ?? { columns: [], cells: [] },
        statistics: { ...children, ...this.#statistics(statementType, more) },
      };
    } catch (error) {
      throw toBigQueryError(error);
    }
  }

  async #create(creation: Statement & { kind: 'create' }, beforeApplying: () => Promise<void>): Promise<JobOutcome> {
    const { store } = this.#bigQuery;
    const { path } = creation.table;
    const target = this.peek(path);
    if (!target) throw notFound(`Dataset of ${path.join('.')}`);
    const { projectId, datasetId, creator } = target.dataset;
    demandInDataset(this.#request.principal, 'tables.create', `${projectId}:${datasetId}`, creator);
    try {
      const staged = new StagedTable(store, this.#environment(), creation);
      const ddl = { ddlOperationPerformed: target.table ? 'REPLACE' : 'CREATE' };
      const statistics = this.#statistics('CREATE_TABLE_AS_SELECT', ddl);
      try {
        await beforeApplying();
        staged.apply(target.dataset, path.at(-1) ?? '');
      } catch (error) {
        staged.drop();
        throw error;
      }
      return { rows: { columns: [], cells: [] }, statistics };
    } catch (error) {
      throw toBigQueryError(toSqlError(error, this.#request.query, false));
    }
  }

  #environment(): Environment {
    const { store } = this.#bigQuery;
    return {
      findTable: (path, at, access) => this.#findTable(path, at, access),
      alterTable: (path, at, changes) => {
        this.#findTable(path, at, 'write');
        alterTable(store, this.peek(path)?.table as Table, changes);
      },
      parameters: readParameters(this.#request.parameters),
      now: BigInt(store.nowMs) * 1_000n,
      rowCount: 0n,
    };
  }

  #statistics(statementType: string, more: Record<string, unknown>): Record<string, unknown> {
    const { store } = this.#bigQuery;
    const totalBytesProcessed = String([...this.#read].reduce((sum, table) => sum + store.bytesOf(table), 0));
    const totalBytesBilled = String(this.#billed());
    return { totalBytesProcessed, query: { statementType, totalBytesProcessed, totalBytesBilled, cacheHit: false, ...more } };
  }

  /** The table of a path, if it exists, to find the query's location. */
  peek(path: string[]): { dataset: Dataset; table: Table | undefined } | null {
    const reference = this.#resolve(path);
    const dataset = reference && this.#bigQuery.store.findDataset(reference.projectId, reference.datasetId);
    if (!reference || !dataset) return null;
    return { dataset, table: this.#bigQuery.store.findTable(reference.projectId, reference.datasetId, reference.tableId) };
  }

  /** The location of the first dataset in the text. */
  locationOf(query: string): string | null {
    const { store } = this.#bigQuery;
    const { defaultDataset, projectId } = this.#request;
    if (defaultDataset)
      return store.findDataset(defaultDataset.projectId ?? projectId, defaultDataset.datasetId)?.location ?? null;
    return store.listDatasets(projectId).find(({ datasetId }) => new RegExp(`\\b${datasetId}\\b`).test(query))?.location ?? null;
  }

  #findTable(path: string[], at: number, access: 'read' | 'write'): TableInfo {
    const { store } = this.#bigQuery;
    const reference = this.#resolve(path);
    if (!reference)
      throw new SqlError(`Table "${path.join('.')}" must be qualified with a dataset (e.g. dataset.table).`, { at });
    const { projectId, datasetId } = reference;
    const key = tableKey(reference);
    const dataset = store.findDataset(projectId, datasetId);
    if (!dataset || dataset.location !== this.location)
      throw new SqlError(`Not found: Dataset ${projectId}:${datasetId} was not found in location ${this.location}`, {
        at,
        reason: 'notFound',
      });
    const permission = access === 'read' ? 'tables.getData' : 'tables.updateData';
    if (!may(this.#request.principal, permission, dataset.creator)) {
      const message = `Access Denied: Table ${key}: User does not have permission to ${access === 'read' ? 'query' : 'update'} table ${key}, or perhaps it does not exist.`;
      throw new SqlError(message, { at, reason: 'accessDenied' });
    }
    const table = store.findTable(projectId, datasetId, reference.tableId);
    if (!table)
      throw new SqlError(`Not found: Table ${key} was not found in location ${this.location}`, { at, reason: 'notFound' });
    this.#read.add(table);
    this.#proveBytes();
    return infoOf(table);
  }

  #resolve(path: string[]): { projectId: string; datasetId: string; tableId: string } | null {
    const { projectId, defaultDataset } = this.#request;
    const [third, second, first] = [path.at(-1), path.at(-2), path.at(-3)];
    if (third === undefined || path.length > 3) return null;
    const datasetId = second ?? defaultDataset?.datasetId;
    if (datasetId === undefined) return null;
    return { projectId: first ?? (second ? projectId : (defaultDataset?.projectId ?? projectId)), datasetId, tableId: third };
  }

  #billed(): number {
    const { store } = this.#bigQuery;
    return [...this.#read].reduce((sum, table) => sum + Math.max(leastBilledBytes, store.bytesOf(table)), 0);
  }

  /** Checked before anything is read. */
  #proveBytes(): void {
    const { maximumBytesBilled } = this.#request;
    const bytes = this.#billed();
    if (maximumBytesBilled === null || bytes <= maximumBytesBilled) return;
    throw new BigQueryError(
      400,
      'bytesBilledLimitExceeded',
      `Query exceeded limit for bytes billed: ${maximumBytesBilled}. ${bytes} or higher required.`,
    );
  }
}

const billingNotEnabled =
  'Access Denied: BigQuery BigQuery: Billing has not been enabled for this project. Enable billing at https://console.cloud.google.com/billing. DML queries are not allowed in the free tier. Set up a billing account to remove this restriction.';

function infoOf(table: Table): TableInfo {
  const { properties, fields, storageName, projectId, datasetId, tableId } = table;
  const partitioning = properties.timePartitioning as { field?: string } | undefined;
  return {
    name: `${projectId}.${datasetId}.${tableId}`,
    storageName,
    columns: fields.map((field) => ({ name: field.name, type: sqlTypeOf(field), isRequired: field.mode === 'REQUIRED' })),
    requiredFilter: properties.requirePartitionFilter === true ? (partitioning?.field ?? null) : null,
  };
}

function targetOf(statement: Statement): { path: string[]; isMutated: boolean }[] {
  const isMutated = !['insert', 'create'].includes(statement.kind);
  return 'table' in statement ? [{ path: statement.table.path, isMutated }] : [];
}

function parseOrError(query: string): Statement[] | BigQueryError {
  try {
    return parseScript(query);
  } catch (error) {
    return toBigQueryError(toSqlError(error, query, false)) as BigQueryError;
  }
}

function failWith(error: BigQueryError): never {
  throw error;
}

function toBigQueryError(error: unknown): unknown {
  if (!(error instanceof SqlError)) return error;
  const { reason, message } = error;
  return new BigQueryError(statusOf(reason), reason, message, {
    location: { location: reason === 'invalidQuery' ? 'q' : 'query', locationType: 'parameter' },
  });
}
