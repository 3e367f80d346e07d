import { findLocation } from './datasets.ts';
import { objectOf, textOf, type BigQuery } from './call.ts';
import { BigQueryError, invalid, notFound, notInSandbox } from './errors.ts';
import { numberOf, quotaExceeded } from './faults.ts';
import type { JobOutcome, Work } from './jobs.ts';
import { readLines } from './ndjson-lines.ts';
import { RowLoader } from './row-loader.ts';
import { demandInDataset, type Principal } from './principals.ts';
import { proveChange, readFields, type Field } from './schema.ts';
import { quoteName } from './sql/types.ts';
import { tableKey, type Dataset, type Table } from './store.ts';
import { readProperties } from './table-body.ts';

/** Limit of load jobs per table and day. Failed jobs count too. */
const loadsPerDay = 1_500;
const dayMs = 86_400_000;

interface LoadTarget {
  dataset: Dataset;
  tableId: string;
}

/** Loads the uploaded rows atomically. */
export class LoadWork implements Work {
  readonly resource = 'load';
  readonly table: string;
  readonly mutates: string[] = [];
  readonly isTransaction = false;
  readonly location: string;
  readonly #bigQuery: BigQuery;
  readonly #load: Record<string, unknown>;
  readonly #principal: Principal;
  readonly #target: LoadTarget;
  readonly #media: Buffer[];

  constructor(bigQuery: BigQuery, load: Record<string, unknown>, media: Buffer[], principal: Principal, location: unknown) {
    this.#bigQuery = bigQuery;
    this.#load = load;
    this.#principal = principal;
    this.#media = media;
    this.#target = readTarget(bigQuery, load);
    this.table = this.#target.tableId;
    this.location = this.#target.dataset.location;
    if (location !== undefined && location !== null && findLocation(location) !== this.location) {
      const { projectId, datasetId } = this.#target.dataset;
      throw notFound(`Dataset ${projectId}:${datasetId} was not found in location ${String(location)}`);
    }
    if (load.sourceUris) throw notInSandbox('loads from Cloud Storage');
    if (load.sourceFormat !== 'NEWLINE_DELIMITED_JSON') throw notInSandbox(`loads of ${String(load.sourceFormat ?? 'CSV')}`);
    if (load.autodetect) throw notInSandbox('the detection of schemas');
  }

  async run(): Promise<JobOutcome> {
    const { store } = this.#bigQuery;
    const { projectId, datasetId, creator } = this.#target.dataset;
    demandInDataset(this.#principal, 'tables.updateData', `${projectId}:${datasetId}`, creator);
    this.#countLoad();
    const existing = store.findTable(projectId, datasetId, this.table);
    const fields = this.#fields(existing);
    const loader = new RowLoader(
      store,
      fields,
      this.#lostEvery(),
      Number(this.#load.maxBadRecords ?? 0),
      this.#load.ignoreUnknownValues === true,
    );
    try {
      for await (const lines of readLines(this.#media)) loader.add(lines);
      const warnings = loader.end();
      this.#apply(fields, loader.name);
      return { statistics: this.#statistics(loader), warnings };
    } finally {
      loader.drop();
    }
  }

  #fields(existing: Table | undefined): Field[] {
    const given = this.#load.schema === undefined ? null : readFields(this.#load.schema);
    if (!existing) {
      if (this.#load.createDisposition === 'CREATE_NEVER')
        throw notFound(`Table ${tableKey({ ...this.#target.dataset, tableId: this.table })}`);
      if (!given || given.length === 0) throw invalid('No schema specified on job or table.');
      return given;
    }
    const isReplaced = this.#load.writeDisposition === 'WRITE_TRUNCATE';
    if (this.#load.writeDisposition === 'WRITE_EMPTY' && this.#bigQuery.store.countRows(existing) > 0)
      throw new BigQueryError(409, 'duplicate', `Already Exists: Table ${tableKey(existing)}`);
    if (!given || isReplaced) return given ?? existing.fields;
    return this.#widened(existing, given);
  }

  /** The job's fields may be fewer than the table's. Additional fields require an option of the job. */
  #widened(existing: Table, given: Field[]): Field[] {
    const options = (this.#load.schemaUpdateOptions ?? []) as string[];
    const merged = existing.fields.map(
      (field) => given.find(({ name }) => name.toLowerCase() === field.name.toLowerCase()) ?? field,
    );
    const added = given.filter(({ name }) => !existing.fields.some((field) => field.name.toLowerCase() === name.toLowerCase()));
    const after = [...merged.map((field, index) => ({ ...existing.fields[index], ...field })), ...added];
    proveChange(tableKey(existing), existing.fields, after);
    const refuse = (why: string): never => {
      throw invalid(`Provided Schema does not match Table ${tableKey(existing)}. ${why}`);
    };
    const [extra] = added;
    if (extra && !options.includes('ALLOW_FIELD_ADDITION')) refuse(`Cannot add fields (field: ${extra.name})`);
    const relaxed = merged.find((field, index) => field.mode !== existing.fields[index]?.mode);
    if (relaxed && !options.includes('ALLOW_FIELD_RELAXATION'))
      refuse(`Field ${relaxed.name} has changed mode from REQUIRED to NULLABLE`);
    return after;
  }

  #apply(fields: Field[], loaded: string): void {
    const { store } = this.#bigQuery;
    const { projectId, datasetId } = this.#target.dataset;
    const { writeDisposition = 'WRITE_APPEND' } = this.#load;
    // Reads the table again, because it may have been created or deleted while the rows were read.
    let table = store.findTable(projectId, datasetId, this.table);
    if (table && writeDisposition === 'WRITE_TRUNCATE' && JSON.stringify(table.fields) !== JSON.stringify(fields)) {
      const { expiresAtMs, properties } = table;
      store.removeTable(table);
      table = store.addTable({ projectId, datasetId, tableId: this.table, fields, expiresAtMs, properties });
    }
    table ??= store.addTable({
      projectId,
      datasetId,
      tableId: this.table,
      fields,
      expiresAtMs: null,
      properties: readProperties(this.#load, fields),
    });
    if (JSON.stringify(table.fields) !== JSON.stringify(fields)) store.changeFields(table, fields);
    const names = fields.map(({ name }) => quoteName(name)).join(', ');
    this.#emptyColumn(fields, loaded);
    store.database.exec('BEGIN');
    if (String(writeDisposition).startsWith('WRITE_TRUNCATE')) store.database.exec(`DELETE FROM ${table.storageName}`);
    store.database.exec(`INSERT INTO ${table.storageName} (${names}) SELECT ${names} FROM ${loaded}; COMMIT`);
    store.saveTable(table);
  }

  #statistics(loader: RowLoader): Record<string, unknown> {
    const bytes = this.#media.reduce((sum, { length }) => sum + length, 0);
    return {
      load: {
        inputFiles: '1',
        inputFileBytes: String(bytes),
        outputRows: String(loader.rowCount),
        outputBytes: String(loader.bytes),
        badRecords: String(loader.badCount),
      },
    };
  }

  #lostEvery(): number | null {
    const fault = this.#bigQuery.faults.strike('drop_rows', { endpoint: 'api', table: this.table });
    return fault ? numberOf(fault, 'everyNth', 20) : null;
  }

  #emptyColumn(fields: Field[], loaded: string): void {
    const fault = this.#bigQuery.faults.strike('empty_column', { endpoint: 'api', table: this.table });
    const field = fields.find(({ name }) => name === fault?.parameters['column']);
    if (field) this.#bigQuery.store.database.exec(`UPDATE ${loaded} SET ${quoteName(field.name)} = NULL`);
  }

  #countLoad(): void {
    const { store } = this.#bigQuery;
    const key = tableKey({ ...this.#target.dataset, tableId: this.table });
    const known = (store.readDocument('loads', key) ?? { at: [] }) as { at: number[] };
    const at = [...known.at.filter((moment) => moment > store.nowMs - dayMs), store.nowMs];
    store.writeDocument('loads', key, { at });
    if (at.length > loadsPerDay) throw new BigQueryError(403, 'quotaExceeded', quotaExceeded);
  }
}

function readTarget({ store }: BigQuery, load: Record<string, unknown>): LoadTarget {
  const reference = objectOf(load.destinationTable, 'configuration.load.destinationTable');
  const tableId = textOf(reference.tableId, 'destinationTable.tableId');
  if (tableId.includes('$')) throw notInSandbox('loads into one partition: load into a table of its own');
  const projectId = textOf(reference.projectId, 'destinationTable.projectId');
  return { dataset: store.getDataset(projectId, textOf(reference.datasetId, 'destinationTable.datasetId')), tableId };
}
