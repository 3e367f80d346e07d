import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../clock.ts';
import { alreadyExists, notFound } from './errors.ts';
import { sqlTypeOf, type Field } from './schema.ts';
import { defineFunctions } from './sql/functions.ts';
import { quoteName, storageTypes } from './sql/types.ts';

export interface Dataset {
  projectId: string;
  datasetId: string;
  location: string;
  creator: string;
  createdAtMs: number;
  changedAtMs: number;
  /** Increases with each change. The etag is based on it. */
  version: number;
  /** Properties returned as they were sent: description, labels and so on. */
  properties: Record<string, unknown>;
}

/** Kind of the document with a table's row access policies. */
export const ROW_POLICIES = 'row-access-policies';
/** The same of its rights. */
export const IAM_POLICY = 'iam-policy';

export interface Table {
  projectId: string;
  datasetId: string;
  tableId: string;
  storageName: string;
  fields: Field[];
  expiresAtMs: number | null;
  createdAtMs: number;
  changedAtMs: number;
  version: number;
  properties: Record<string, unknown>;
}

/** Datasets, tables and rows in a SQLite database; stored in a file if there is a data folder. */
export class Store {
  readonly database: DatabaseSync;
  readonly #clock: Clock;
  readonly #datasets: Map<string, Dataset>;
  readonly #tables: Map<string, Table>;

  constructor(clock: Clock, dataDir: string | undefined) {
    this.#clock = clock;
    if (dataDir) mkdirSync(dataDir, { recursive: true });
    this.database = new DatabaseSync(dataDir ? join(dataDir, 'bigquery.sqlite') : ':memory:');
    // Durability is not needed here. LIKE is case-sensitive in BigQuery.
    this.database.exec('PRAGMA synchronous = OFF; PRAGMA case_sensitive_like = ON');
    this.database.exec(
      'CREATE TABLE IF NOT EXISTS documents (kind TEXT, key TEXT, body TEXT NOT NULL, PRIMARY KEY (kind, key)) STRICT',
    );
    defineFunctions(this.database);
    this.#datasets = this.#readAll<Dataset>('dataset');
    this.#tables = this.#readAll<Table>('table');
  }

  get nowMs(): number {
    return this.#clock.now().getTime();
  }

  listDatasets(projectId: string): Dataset[] {
    return [...this.#datasets.values()].filter((dataset) => dataset.projectId === projectId).sort(by('datasetId'));
  }

  findDataset(projectId: string, datasetId: string): Dataset | undefined {
    return this.#datasets.get(`${projectId}:${datasetId}`);
  }

  getDataset(projectId: string, datasetId: string): Dataset {
    const dataset = this.findDataset(projectId, datasetId);
    if (!dataset) throw notFound(`Dataset ${projectId}:${datasetId}`);
    return dataset;
  }

  addDataset(dataset: Omit<Dataset, 'createdAtMs' | 'changedAtMs' | 'version'>): Dataset {
    const key = `${dataset.projectId}:${dataset.datasetId}`;
    if (this.#datasets.has(key)) throw alreadyExists(`Dataset ${key}`);
    return this.saveDataset({ ...dataset, createdAtMs: this.nowMs, changedAtMs: this.nowMs, version: 0 });
  }

  saveDataset(dataset: Dataset): Dataset {
    Object.assign(dataset, { changedAtMs: this.nowMs, version: dataset.version + 1 });
    this.#datasets.set(`${dataset.projectId}:${dataset.datasetId}`, dataset);
    this.writeDocument('dataset', `${dataset.projectId}:${dataset.datasetId}`, dataset);
    return dataset;
  }

  removeDataset({ projectId, datasetId }: Dataset): void {
    for (const table of this.listTables(projectId, datasetId)) this.removeTable(table);
    this.#datasets.delete(`${projectId}:${datasetId}`);
    this.#removeDocument('dataset', `${projectId}:${datasetId}`);
  }

  listTables(projectId: string, datasetId: string): Table[] {
    const isThere = (table: Table): boolean =>
      table.projectId === projectId && table.datasetId === datasetId && !this.#isExpired(table);
    return [...this.#tables.values()].filter(isThere).sort(by('tableId'));
  }

  /** Deletes expired tables and partitions. */
  findTable(projectId: string, datasetId: string, tableId: string): Table | undefined {
    const table = this.#tables.get(tableKey({ projectId, datasetId, tableId }));
    if (table && this.#isExpired(table)) {
      this.removeTable(table);
      return undefined;
    }
    if (table) this.#deleteExpiredPartitions(table);
    return table;
  }

  /** A partition expires a while after its date, in UTC, whenever its rows were loaded. Tables of Tributary are partitioned by a DATE. */
  #deleteExpiredPartitions({ properties, storageName }: Table): void {
    const { field, expirationMs } = (properties.timePartitioning ?? {}) as { field?: string; expirationMs?: string };
    if (field === undefined || expirationMs === undefined) return;
    const newest = new Date(this.nowMs - Number(expirationMs)).toISOString().slice(0, 10);
    this.database.prepare(`DELETE FROM ${quoteName(storageName)} WHERE ${quoteName(field)} <= ?`).run(newest);
  }

  addTable(table: Omit<Table, 'storageName' | 'createdAtMs' | 'changedAtMs' | 'version'>): Table {
    if (this.findTable(table.projectId, table.datasetId, table.tableId)) throw alreadyExists(`Table ${tableKey(table)}`);
    const created = { ...table, storageName: this.newName('rows'), createdAtMs: this.nowMs, changedAtMs: this.nowMs, version: 0 };
    this.createRows(created.storageName, table.fields, true);
    return this.saveTable(created);
  }

  /** A table with rows that are stored already. It takes the place of the one with its name, which counts as deleted. */
  replaceTable(table: Omit<Table, 'storageName' | 'createdAtMs' | 'changedAtMs' | 'version'>, storageName: string): Table {
    const existing = this.findTable(table.projectId, table.datasetId, table.tableId);
    if (existing) this.removeTable(existing);
    return this.saveTable({ ...table, storageName, createdAtMs: this.nowMs, changedAtMs: this.nowMs, version: 0 });
  }

  saveTable(table: Table): Table {
    Object.assign(table, { changedAtMs: this.nowMs, version: table.version + 1 });
    this.#tables.set(tableKey(table), table);
    this.writeDocument('table', tableKey(table), table);
    return table;
  }

  removeTable(table: Table): void {
    this.database.exec(`DROP TABLE IF EXISTS ${quoteName(table.storageName)}`);
    this.#tables.delete(tableKey(table));
    this.#removeDocument('table', tableKey(table));
    for (const kind of [ROW_POLICIES, IAM_POLICY]) this.#removeDocument(kind, tableKey(table));
  }

  /** Changes the columns of a table and keeps its rows. `nameBefore` is a column's previous name, null for a new one. */
  changeFields(table: Table, fields: Field[], nameBefore = sameName(table.fields)): void {
    const name = this.newName('rows');
    const kept = fields.flatMap((field) => {
      const before = nameBefore(field.name);
      return before === null ? [] : [[quoteName(field.name), quoteName(before)] as const];
    });
    this.createRows(name, fields, true);
    const [into, from] = [kept.map(([next]) => next).join(', '), kept.map(([, before]) => before).join(', ')];
    this.database.exec(`INSERT INTO ${name} (${into}) SELECT ${from} FROM ${quoteName(table.storageName)}`);
    this.database.exec(`DROP TABLE ${quoteName(table.storageName)}`);
    Object.assign(table, { storageName: name, fields });
  }

  createRows(name: string, fields: Field[], isRequiredKept: boolean): void {
    const columns = fields.map(
      (field) =>
        `${quoteName(field.name)} ${storageTypes[sqlTypeOf(field)]}${isRequiredKept && field.mode === 'REQUIRED' ? ' NOT NULL' : ''}`,
    );
    // SQLite does not support tables without columns, BigQuery does.
    this.database.exec(`CREATE TABLE ${quoteName(name)} (${columns.length > 0 ? columns.join(', ') : '"$none" TEXT'}) STRICT`);
  }

  countRows({ storageName }: Table): number {
    return Number(this.database.prepare(`SELECT count(*) AS count FROM ${quoteName(storageName)}`).get()?.count ?? 0);
  }

  /** An estimate: eight bytes per cell. */
  bytesOf(table: Table): number {
    return this.countRows(table) * table.fields.length * 8;
  }

  newName(prefix: string): string {
    const { number } = this.database
      .prepare(
        `INSERT INTO documents VALUES ('counter', 'name', '1') ON CONFLICT DO UPDATE SET body = CAST(body AS INTEGER) + 1 RETURNING body AS number`,
      )
      .get() as { number: string };
    return `${prefix}_${number}`;
  }

  writeDocument(kind: string, key: string, body: object): void {
    this.database.prepare('INSERT OR REPLACE INTO documents VALUES (?, ?, ?)').run(kind, key, JSON.stringify(body));
  }

  readDocument(kind: string, key: string): unknown {
    const found = this.database.prepare('SELECT body FROM documents WHERE kind = ? AND key = ?').get(kind, key);
    return found ? JSON.parse(String(found.body)) : undefined;
  }

  #removeDocument(kind: string, key: string): void {
    this.database.prepare('DELETE FROM documents WHERE kind = ? AND key = ?').run(kind, key);
  }

  #readAll<Body>(kind: string): Map<string, Body> {
    const rows = this.database.prepare('SELECT key, body FROM documents WHERE kind = ?').all(kind);
    return new Map(rows.map(({ key, body }) => [String(key), JSON.parse(String(body)) as Body]));
  }

  #isExpired({ expiresAtMs }: Table): boolean {
    return expiresAtMs !== null && expiresAtMs <= this.nowMs;
  }
}

const sameName =
  (fields: Field[]) =>
  (name: string): string | null =>
    fields.find((field) => field.name.toLowerCase() === name.toLowerCase())?.name ?? null;

export function tableKey({ projectId, datasetId, tableId }: Pick<Table, 'projectId' | 'datasetId' | 'tableId'>): string {
  return `${projectId}:${datasetId}.${tableId}`;
}

function by<Name extends string>(name: Name): (left: Record<Name, string>, right: Record<Name, string>) => number {
  return (left, right) => (left[name] < right[name] ? -1 : 1);
}
