import { Injectable } from '@nestjs/common';
import type { AdAccount, CheckItem, ReadContext, RemoteJob, Source, Stream } from '../connectors/kit/contract.js';
import { readLines } from '../connectors/kit/row-text.js';
import { addDays, countDays, dayInTimeZone } from '../connectors/kit/days.js';
import { DestinationsService } from '../destinations/destinations.service.js';
import { asProblem } from '../platform/failures.js';
import { Problem } from '../platform/problem.js';
import { SourcesService } from '../sources/sources.service.js';
import type { Estimate, EstimateBody } from './connections.dto.js';
import { toSchedule } from './connections.service.js';
import { runsPerMonth } from './schedule.js';

const TIMEOUT_MS = 60_000;
/** Days read to learn how many rows a day has. */
const PROBE_DAYS = 7;
const SAMPLE_ROWS = 5;
const SLICE_DAYS = 31;
/** Measured against the sandbox on two cores; a real provider's latency is added per call. */
const ROWS_PER_SECOND = 10_000;
const SECONDS_PER_CALL = 0.5;

/** What a connection would cost, learned by reading a few days. Writes nothing. */
@Injectable()
export class EstimateConnection {
  constructor(
    private readonly sources: SourcesService,
    private readonly destinations: DestinationsService,
  ) {}

  async estimate(organizationId: string, body: EstimateBody): Promise<Estimate> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    /** Of each read its own: a job belongs to one report. */
    const newContext = (): ReadContext => ({ signal, onRequest: () => undefined, job: forgottenJob(), exchange: null });
    try {
      const { connector, accounts, providerName, lookbackDays: setDays } = await this.sources.open(organizationId, body.sourceId);
      const destinationChecks = await this.destinations.checkSaved(organizationId, body.destinationId);
      const streams = connector.streams.filter(({ name }) => body.streams.includes(name));
      const [stream] = streams;
      const open = accounts.filter((account) => account.status === 'enabled');
      const [account] = open;
      if (!stream || !account)
        throw new Problem('connection.unknown_stream', {
          detail: 'There is no stream or open account to read.',
          action: 'Choose another',
        });
      const startedAt = Date.now();
      const lookbackDays =
        body.lookbackDays ??
        setDays ??
        Math.max(...(await Promise.all(open.map((each) => connector.lookbackDays(newContext(), each)))));
      const answered: CheckItem = check('source_answers', `${providerName} answers`, 'passed', null, Date.now() - startedAt);
      const rowsPerDay = new Map<string, number>();
      for (const each of streams) rowsPerDay.set(each.name, await countRowsPerDay(newContext(), connector, each, account));
      const sample = await firstRows(newContext(), connector, stream, account);
      return {
        ...sums(body, [...rowsPerDay.values()], open.length, lookbackDays),
        lookbackDays,
        sample,
        checks: [answered, accountsCheck(accounts, open), ...destinationChecks],
      };
    } catch (error) {
      throw asProblem(error);
    }
  }
}

/** Remembered for as long as the estimate takes, so that a report is looked for and not asked for again; kept nowhere. */
function forgottenJob(): RemoteJob {
  let held: string | null = null;
  return {
    get id() {
      return held;
    },
    save(id) {
      held = id;
      return Promise.resolve();
    },
  };
}

function sums(
  body: EstimateBody,
  rowsPerDay: number[],
  accounts: number,
  lookbackDays: number,
): Pick<Estimate, 'firstLoad' | 'eachMonth'> {
  const rowsEachDay = rowsPerDay.reduce((sum, rows) => sum + rows, 0) * accounts;
  const days = countDays(body.historyFrom, new Date().toISOString().slice(0, 10));
  const slices = Math.ceil(days / SLICE_DAYS) * rowsPerDay.length * accounts;
  const rows = Math.round(rowsEachDay * days);
  const runs = runsPerMonth(toSchedule(body.schedule));
  const slicesPerRun = Math.ceil((lookbackDays + 1) / SLICE_DAYS) * rowsPerDay.length * accounts;
  return {
    firstLoad: {
      days,
      slices,
      apiCalls: slices + accounts,
      rows,
      minutes: Math.ceil((rows / ROWS_PER_SECOND + slices * SECONDS_PER_CALL) / 60),
    },
    eachMonth: { rows: Math.round(rowsEachDay * (lookbackDays + 1) * runs), apiCalls: (slicesPerRun + accounts) * runs },
  };
}

async function countRowsPerDay(context: ReadContext, source: Source, stream: Stream, account: AdAccount): Promise<number> {
  const to = addDays(dayInTimeZone(new Date(), account.timeZone), -1);
  let rows = 0;
  for await (const page of source.read(context, { stream, account, from: addDays(to, 1 - PROBE_DAYS), to }))
    rows += page.rowCount;
  return rows / PROBE_DAYS;
}

async function firstRows(context: ReadContext, source: Source, stream: Stream, account: AdAccount): Promise<Estimate['sample']> {
  const day = addDays(dayInTimeZone(new Date(), account.timeZone), -1);
  const rows: (string | null)[][] = [];
  for await (const { lines } of source.read(context, { stream, account, from: day, to: day }))
    if (rows.length < SAMPLE_ROWS) rows.push(...readLines(lines));
  return { stream: stream.name, columns: stream.columns.map(({ name }) => name), rows: rows.slice(0, SAMPLE_ROWS) };
}

function accountsCheck(accounts: AdAccount[], open: AdAccount[]): CheckItem {
  const label = `${open.length} of ${accounts.length} accounts open`;
  if (open.length === accounts.length) return check('accounts_open', label, 'passed', null, 0);
  return {
    ...check('accounts_open', label, 'failed', 'Closed accounts bring no rows.', 0),
    action: 'Leave them out of the source',
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
