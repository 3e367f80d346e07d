import type { RecordPage, RecordSample, SourceCursor, SourceRecord } from '../../kit/conversion-source.js';
import type { ConnectorContext } from '../../kit/contract.js';
import { fieldsOf } from '../../kit/records/record-fields.js';
import { assertDistinctNames, missingTimeField, type ReadLimits, toSample } from '../../kit/records/read-meter.js';
import { cursorAfter, startOf, type QuerySettings } from '../../kit/records/query-settings.js';
import type { Jobs } from '../jobs.js';
import { type Parameter, quote } from '../sql.js';
import { assertAffordable, dryRun, type DryRun, readPages } from './query.js';
import { type ResultField, timeParameter, type TimeType, timeTypes, toRecord } from './values.js';

export interface ReaderParts {
  jobs: Jobs;
  settings: QuerySettings;
  now(): Date;
  limits: ReadLimits;
}

/** Reads the rows of a query. Before each query, a dry run shows that it only reads, and how much. */
export class QueryReader {
  private readonly parts: ReaderParts;

  constructor(parts: ReaderParts) {
    this.parts = parts;
  }

  async sample(context: ConnectorContext, limit: number): Promise<RecordSample> {
    const { timeField } = this.parts.settings;
    const { bytes, fields } = await this.inspect(context);
    const order = timeField === null ? '' : ` ORDER BY ${quote(timeField)} DESC`;
    const records: SourceRecord[] = [];
    for await (const page of this.run(context, `${order} LIMIT ${limit + 1}`)) records.push(...page.records);
    const names = records.length > 0 ? fieldsOf(records) : fields.map(({ name }) => name);
    return { ...toSample(records, names, limit), bytesProcessed: bytes };
  }

  /** Pages with a time field have a cursor; otherwise only the last page has one, because the rows have no order. */
  async *read(context: ConnectorContext, cursor: SourceCursor | null, since: Date): AsyncGenerator<RecordPage> {
    const { settings, now } = this.parts;
    const begunAt = now();
    const { fields } = await this.inspect(context);
    const start = startOf(settings, cursor, since);
    const { timeField } = settings;
    const condition = start && timeField !== null ? conditionOf(timeField, start, timeTypeOf(fields, timeField)) : NO_CONDITION;
    let newest: string | null = null;
    for await (const { records, bytes } of this.run(context, condition.sql, condition.parameters)) {
      const last = timeField === null ? null : (records.at(-1)?.[timeField] ?? null);
      if (last !== null) newest = String(last);
      yield { records, bytes, cursor: start ? cursorAfter(newest, cursor, begunAt) : null };
    }
    yield { records: [], bytes: 0, cursor: cursorAfter(newest, cursor, begunAt) };
  }

  /** A dry run of the whole query. */
  private async inspect(context: ConnectorContext): Promise<DryRun> {
    const { jobs, settings } = this.parts;
    const found = await dryRun(jobs, context, this.statement(''), []);
    assertDistinctNames(
      'bigquery',
      found.fields.map(({ name }) => name),
    );
    if (settings.timeField !== null) timeTypeOf(found.fields, settings.timeField);
    return found;
  }

  private async *run(
    context: ConnectorContext,
    after: string,
    parameters: Parameter[] = [],
  ): AsyncGenerator<Omit<RecordPage, 'cursor'>> {
    const { jobs, limits } = this.parts;
    const query = this.statement(after);
    // This is the statement that is run, so its type counts.
    assertAffordable(await dryRun(jobs, context, query, parameters), jobs);
    for await (const { rows, fields, bytes } of readPages(jobs, context, { query, parameters }, limits))
      yield { records: rows.map((row) => toRecord(row, fields)), bytes };
  }

  /** The line break ends a comment at the end of the query. */
  private statement(after: string): string {
    return `SELECT * FROM (\n${this.parts.settings.query}\n)${after}`;
  }
}

const NO_CONDITION = { sql: '', parameters: [] as Parameter[] };

function conditionOf(timeField: string, start: Date, type: TimeType): typeof NO_CONDITION {
  const column = quote(timeField);
  return {
    sql: ` WHERE ${column} >= @tributary_start ORDER BY ${column}`,
    parameters: [{ name: 'tributary_start', type, value: timeParameter(start, type) }],
  };
}

function timeTypeOf(fields: ResultField[], timeField: string): TimeType {
  const field = fields.find(({ name, mode }) => name === timeField && mode !== 'REPEATED');
  const type = timeTypes.find((known) => known === field?.type);
  if (!type) throw missingTimeField('bigquery', timeField);
  return type;
}
