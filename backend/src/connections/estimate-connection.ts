import { Inject, Injectable } from '@nestjs/common';
import { ProviderBudget } from '../apps/index.js';
import type { AdAccount, CheckItem, ReadContext, Source, Stream } from '../connectors/kit/contract.js';
import { mapConcurrently } from '../connectors/kit/map-concurrently.js';
import { projectPages, withoutColumns } from '../connectors/kit/rows/excluded-columns.js';
import { type HashedColumns, hashText } from '../connectors/kit/rows/hashed-columns.js';
import { addDays, countDays, dayInTimeZone } from '../connectors/kit/days.js';
import { withinTime } from '../connectors/kit/within-time.js';
import { WAITS, type Waits } from '../core/config/waits.js';
import { DestinationsService } from '../destinations/index.js';
import { asProblem } from '../core/http/failures.js';
import { Problem } from '../core/http/problem.js';
import { AccountLookbacks, type OpenSource, SourcesService, SourceWindowsService } from '../sources/index.js';
import type { EstimateBody } from './connections.dto.js';
import type { Estimate } from './estimate.dto.js';
import {
  costOfFirstLoad,
  costOfMonth,
  RECENT_DAYS,
  rowsOfMonth,
  sparingMonth,
  type StreamVolume,
  type Volume,
} from './cost-of-connection.js';
import { readExcludedColumns } from './excluded-columns.js';
import { readHashedFields } from './hashed-fields.js';
import { toSchedule } from './connection-settings.js';
import { drain, ReadingContext, SampledRows } from './reading-context.js';
import { runsPerMonth } from './schedule/schedule.js';
import { SharedTables } from './shared-tables.service.js';
import { type SourceReading, SourceReadings } from './schedule/source-readings.js';

/** Days read to measure the rows per day. */
const PROBE_DAYS = 7;
const SAMPLE_ROWS = 5;

/** Estimates the cost of a connection by reading 7 days. Writes nothing. */
@Injectable()
export class EstimateConnection {
  constructor(
    private readonly sources: SourcesService,
    private readonly accountLookbacks: AccountLookbacks,
    private readonly windows: SourceWindowsService,
    private readonly destinations: DestinationsService,
    private readonly readings: SourceReadings,
    private readonly budget: ProviderBudget,
    private readonly sharedTables: SharedTables,
    @Inject(WAITS) private readonly waits: Waits,
  ) {}

  async estimate(organizationId: string, body: EstimateBody): Promise<Estimate> {
    try {
      const source = await this.sources.open(organizationId, body.sourceId);
      const { connector, accounts } = source;
      const setDays = body.lookbackDays ?? source.lookbackDays;
      const destinationChecks = await this.destinations.checkSaved(organizationId, body.destinationId);
      const streams = connector.streams.filter(({ name }) => body.streams.includes(name));
      const leftOut = readExcludedColumns(connector.streams, body.leftOut);
      const hashed = readHashedFields(connector.streams, body.hashedFields);
      const writer = { ...body, connectionId: null, source, leftOut, hashed };
      await this.sharedTables.assertSameFields(organizationId, writer);
      const tablesCheck = await this.sharedTables.check(organizationId, writer);
      const open = accounts.filter((account) => account.status === 'enabled');
      const wanted = { organizationId, sourceId: body.sourceId, source, streams, leftOut, open, setDays };
      const question = {
        sourceId: body.sourceId,
        version: source.version,
        streams: streams.map(({ name }) => name),
        leftOut: leftOut[streams[0]?.name ?? ''] ?? [],
        accountIds: open.map(({ externalId }) => externalId),
        setDays,
      };
      const limit = {
        serviceName: source.providerName,
        milliseconds: this.waits.providerTimeoutMs,
        action: 'Try again in a few minutes',
      };
      const reading = await this.readings.getOrRead(organizationId, question, () =>
        withinTime(limit, (signal) => this.read(wanted, signal)),
      );
      const { lookbackDays, volumes, sample, answered, readAt } = reading;
      return {
        streams: volumes.map((each, index) => ({
          stream: streams[index]?.name ?? '',
          rowsPerMonth: rowsOfMonth(each, open.length),
        })),
        ...costs(body, { streams: volumes, accounts: open.length, lookbackDays, isLookbackAsked: setDays === null }, source),
        lookbackDays,
        recentDays: Math.min(lookbackDays, RECENT_DAYS),
        sample: hashSample(sample, hashed),
        readAt,
        checks: [answered, accountsCheck(accounts, open), ...destinationChecks, tablesCheck],
      };
    } catch (error) {
      throw asProblem(error);
    }
  }

  private async read(
    { organizationId, sourceId, source, streams, leftOut, open, setDays }: Wanted,
    signal: AbortSignal,
  ): Promise<SourceReading> {
    const { connector, providerName } = source;
    /** A new context for each read, because a job belongs to one report. */
    const newContext = (): ReadingContext =>
      new ReadingContext(signal, () => this.budget.spend(organizationId, connector.provider));
    const [stream] = streams;
    const [account] = open;
    if (!stream || !account)
      throw new Problem('connection.unknown_stream', {
        detail: 'The source has no stream or open account to read.',
        action: 'Choose another source',
      });
    const startedAt = Date.now();
    const known = await this.accountLookbacks.find(organizationId, sourceId);
    const fetchLookback = (each: AdAccount) =>
      this.windows.fetchLookback(newContext(), { organizationId, sourceId, connector }, each, known);
    const lookbackDays = setDays ?? Math.max(...(await mapConcurrently(open, fetchLookback)));
    const answered = check('source_answers', `${providerName} answers`, 'passed', null, Date.now() - startedAt);
    const volumes: StreamVolume[] = [];
    for (const each of streams) volumes.push(await measureVolume(newContext(), connector, each, account));
    const written = withoutColumns(stream, leftOut[stream.name]);
    const sample = await firstRows(newContext(), connector, { stream, written }, account);
    return { lookbackDays, volumes, sample, answered, readAt: new Date().toISOString() };
  }
}

interface Wanted {
  organizationId: string;
  sourceId: string;
  source: OpenSource;
  streams: Stream[];
  /** Excluded columns by stream. */
  leftOut: ReturnType<typeof readExcludedColumns>;
  /** Accounts that can be read. */
  open: AdAccount[];
  /** Null: the lookback window that the platform reports for each account. */
  setDays: number | null;
}

function costs(
  { historyFrom, schedule }: EstimateBody,
  volume: Volume,
  { connector, earliestAvailable, accounts }: OpenSource,
): Pick<Estimate, 'firstLoad' | 'eachMonth' | 'sparing' | 'dailyCalls'> {
  // The platform does not have data of earlier days.
  const from = earliestAvailable !== null && earliestAvailable > historyFrom ? earliestAvailable : historyFrom;
  const now = new Date();
  const today = accounts.map(({ timeZone }) => dayInTimeZone(now, timeZone)).toSorted().at(-1); // prettier-ignore
  const days = Math.max(1, countDays(from, today ?? from));
  const eachMonth = costOfMonth(volume, runsPerMonth(toSchedule(schedule)));
  return {
    firstLoad: { days, ...costOfFirstLoad(volume, days) },
    eachMonth,
    sparing: sparingMonth(volume, eachMonth),
    dailyCalls: connector.dailyCalls ?? null,
  };
}

async function measureVolume(context: ReadingContext, source: Source, stream: Stream, account: AdAccount): Promise<StreamVolume> {
  const to = addDays(dayInTimeZone(new Date(), account.timeZone), -1);
  let rows = 0;
  for await (const page of source.read(context, { stream, account, from: addDays(to, 1 - PROBE_DAYS), to }))
    rows += page.rowCount;
  return { rowsPerDay: rows / PROBE_DAYS, callsPerSlice: Math.max(1, context.calls) };
}

async function firstRows(
  context: ReadContext,
  source: Source,
  { stream, written }: { stream: Stream; written: Stream },
  account: AdAccount,
): Promise<Estimate['sample']> {
  const day = addDays(dayInTimeZone(new Date(), account.timeZone), -1);
  const slice = { stream, account, from: day, to: day };
  const sample = new SampledRows(SAMPLE_ROWS);
  await drain(sample.read(projectPages(source.read(context, slice), slice, written)));
  return { stream: stream.name, columns: written.columns.map(({ name }) => name), rows: sample.rows };
}

/** The reading is stored as it was read, so that another choice of hashed fields needs no request to the platform. */
function hashSample({ stream, columns, rows }: Estimate['sample'], hashed: HashedColumns): Estimate['sample'] {
  const isHashed = columns.map((name) => hashed[stream]?.includes(name) === true);
  const hashCell = (cell: string | null, index: number) => (cell !== null && isHashed[index] ? hashText(cell) : cell);
  return { stream, columns, rows: rows.map((row) => row.map(hashCell)) };
}

function accountsCheck(accounts: AdAccount[], open: AdAccount[]): CheckItem {
  const label = `${open.length} of ${accounts.length} accounts open`;
  if (open.length === accounts.length) return check('accounts_open', label, 'passed', null, 0);
  return {
    ...check('accounts_open', label, 'failed', 'Closed accounts have no rows.', 0),
    action: 'Remove them from the source',
  };
}

const check = (code: string, label: string, state: CheckItem['state'], detail: string | null, durationMs: number): CheckItem => ({
  code,
  label,
  state,
  detail,
  action: null,
  durationMs,
});
