import type { StatementSync } from 'node:sqlite';
import type { JobError } from './errors.ts';
import { JobFailed } from './jobs.ts';
import { BadValue, toStored } from './json-values.ts';
import type { Field } from './schema.ts';
import { quoteName } from './sql/types.ts';
import type { Store } from './store.ts';

/** Maximum number of stored errors, as in BigQuery. */
const errorLimit = 5;

/** Loads JSON rows into a staging table, from which they are moved together. */
export class RowLoader {
  readonly name: string;
  rowCount = 0;
  badCount = 0;
  bytes = 0;
  readonly #store: Store;
  readonly #fields: Map<string, Field>;
  readonly #insert: StatementSync;
  readonly #lostEvery: number | null;
  readonly #badLimit: number;
  readonly #isUnknownIgnored: boolean;
  readonly #errors: JobError[] = [];

  constructor(store: Store, fields: Field[], lostEvery: number | null, badLimit: number, isUnknownIgnored: boolean) {
    this.#store = store;
    this.#fields = new Map(fields.map((field) => [field.name.toLowerCase(), field]));
    this.#lostEvery = lostEvery;
    this.#badLimit = badLimit;
    this.#isUnknownIgnored = isUnknownIgnored;
    this.name = store.newName('load');
    store.createRows(this.name, fields, false);
    const names = fields.map(({ name }) => quoteName(name)).join(', ');
    this.#insert = store.database.prepare(`INSERT INTO ${this.name} (${names}) VALUES (${fields.map(() => '?').join(', ')})`);
  }

  add(lines: string[]): void {
    this.#store.database.exec('BEGIN');
    try {
      for (const line of lines) this.#addLine(line);
    } finally {
      this.#store.database.exec('COMMIT');
    }
    if (this.badCount > this.#badLimit) throw new JobFailed([this.#summary(), ...this.#errors]);
  }

  /** Errors below the error limit. */
  end(): JobError[] {
    return this.#errors;
  }

  drop(): void {
    this.#store.database.exec(`DROP TABLE IF EXISTS ${this.name}`);
  }

  #addLine(line: string): void {
    try {
      const values = this.#read(line);
      this.rowCount += 1;
      this.bytes += values.length * 8;
      const isLost = this.#lostEvery !== null && this.rowCount % this.#lostEvery === 0;
      if (!isLost) this.#insert.run(...values);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      this.badCount += 1;
      const message = `Error while reading data, error message: JSON parsing error in row starting at position ${this.bytes}: ${error.message}`;
      if (this.#errors.length < errorLimit) this.#errors.push({ reason: 'invalid', message });
    }
  }

  #read(line: string): (string | number | bigint | null)[] {
    const row = parseRow(line);
    for (const name of row.keys())
      if (!this.#isUnknownIgnored && !this.#fields.has(name)) throw new BadValue(`No such field: ${name}.`);
    return [...this.#fields].map(([name, field]) => {
      const value = toStored(field, row.get(name) ?? null);
      if (value === null && field.mode === 'REQUIRED') throw new BadValue(`Missing required field: ${field.name}.`);
      return value;
    });
  }

  #summary(): JobError {
    const message = `Error while reading data, error message: JSON table encountered too many errors, giving up. Rows: ${this.rowCount + this.badCount}; errors: ${this.badCount}. Please look into the errors[] collection for more details.`;
    return { reason: 'invalid', message };
  }
}

/** Integers above 2^53 remain text. */
function parseRow(line: string): Map<string, unknown> {
  const exact = (_name: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value;
  try {
    const value: unknown = /\d{16}/.test(line) ? JSON.parse(line, exact) : JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return new Map(Object.entries(value).map(([name, cell]) => [name.toLowerCase(), cell]));
  } catch {
    // Falls through to the rejection below.
  }
  throw new BadValue('Parser terminated before end of string');
}
