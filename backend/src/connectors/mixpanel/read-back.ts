import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectorContext, Day, Slice } from '../kit/contract.js';
import { addDays, listDays } from '../kit/days.js';
import type { EventQuery, MixpanelApi } from './api.js';
import { cutExport, PlanLimit } from './errors.js';
import type { MixpanelSettings } from './settings.js';
import { LOADED_BY } from './shape.js';
import { placeOf, readVisible, type VisibleRows } from './visible-rows.js';

/** Mixpanel allows at most 3 exports a second. */
const EXPORT_PAUSE_MS = 350;
/** Total number of cached export rows, because slices of one range follow each other. About 15 MB. */
const KEPT_ROWS = 50_000;
const SHARED_EVENTS = 50_000;

interface Waiting {
  context: ConnectorContext;
  slice: Slice;
  resolve(rows: VisibleRows): void;
  reject(error: unknown): void;
}

/** A cached export of some accounts and days. `sentBefore` is the send counter at its time. */
interface Kept {
  from: Day;
  to: Day;
  accounts: string[];
  /** Requested places; null: all of the accounts. */
  only: Set<string> | null;
  sentBefore: number;
  places: Map<string, VisibleRows>;
}

/**
 * Reads what Mixpanel returns, from its raw export. Mixpanel allows 60 exports an hour, so concurrent slices share one, and an
 * export newer than the last send of a slice is reused.
 */
export class ReadBack {
  private readonly api: MixpanelApi;
  private readonly pauseMs: number;
  private readonly sharedEvents: number;
  private readonly waiting: Waiting[] = [];
  private readonly lastSent = new Map<string, number>();
  private readonly emptyYears = new Map<string, Promise<boolean>>();
  private kept: Kept[] = [];
  /** Whether exports are limited to the requested streams, because there are too many events. */
  private isNarrow = false;
  private sentCount = 0;
  private isReading = false;
  private nextExport: Promise<unknown> = Promise.resolve();

  constructor(api: MixpanelApi, settings: Pick<MixpanelSettings, 'exportPauseMs' | 'sharedEvents'>) {
    this.api = api;
    this.pauseMs = settings.exportPauseMs ?? EXPORT_PAUSE_MS;
    this.sharedEvents = settings.sharedEvents ?? SHARED_EVENTS;
  }

  /** Invalidates cached exports of the slice. */
  sent(slice: Slice): void {
    this.lastSent.set(placeOf(slice), ++this.sentCount);
  }

  rows(context: ConnectorContext, slice: Slice): Promise<VisibleRows> {
    const kept = this.kept.find((one) => covers(one, slice) && one.sentBefore >= (this.lastSent.get(placeOf(slice)) ?? 0));
    if (kept) return Promise.resolve(rowsOf(kept, slice));
    return new Promise((resolve, reject) => {
      this.waiting.push({ context, slice, resolve, reject });
      if (!this.isReading) void this.readAll();
    });
  }

  /**
   * The same rows, verified to be complete: a second answer must contain the same revisions. Uses one of the hour's 60 queries or
   * exports.
   */
  async verifiedRows(context: ConnectorContext, slice: Slice): Promise<VisibleRows> {
    this.sent(slice);
    const rows = await this.rows(context, slice);
    if ((await this.sumOfRevisions(context, slice)) !== checksumOf(rows)) throw cutExport('two answers for the same days differ');
    return rows;
  }

  /** Mixpanel's own sum, or that of another export if the plan does not include the Query API. */
  private async sumOfRevisions(context: ConnectorContext, slice: Slice): Promise<number> {
    const days = listDays(slice.from, slice.to).map((day) => JSON.stringify(day));
    const where = [
      ours([slice.account.externalId]),
      `properties["stream"] == ${JSON.stringify(slice.stream.name)}`,
      `properties["date"] in [${days.join(', ')}]`,
    ].join(' and ');
    try {
      return await this.api.sumProperty(context, 'revision', { ...spread(slice.from, slice.to), where });
    } catch (error) {
      if (!(error instanceof PlanLimit)) throw error;
    }
    this.sent(slice);
    return checksumOf(await this.rows(context, slice));
  }

  /** Rows that existed before this run wrote the slice. Slices without any event share one export per year. */
  async rowsBefore(context: ConnectorContext, slice: Slice): Promise<VisibleRows> {
    const years = [...new Set([slice.from.slice(0, 4), slice.to.slice(0, 4)])];
    const answers = await Promise.all(years.map((year) => this.wasEmpty(context, slice, year)));
    if (answers.every(Boolean)) return new Map();
    const rows = await this.rows(context, slice);
    return rows.size === 0 ? rows : this.verifiedRows(context, slice);
  }

  private async wasEmpty(context: ConnectorContext, slice: Slice, year: string): Promise<boolean> {
    if (await this.askOnce(context, year, ours(null))) return true;
    const where = `${ours([slice.account.externalId])} and properties["stream"] == ${JSON.stringify(slice.stream.name)}`;
    return this.askOnce(context, year, where);
  }

  /** Whether there was nothing at the first request. */
  private askOnce(context: ConnectorContext, year: string, where: string): Promise<boolean> {
    const known = this.emptyYears.get(`${year} ${where}`);
    if (known) return known;
    const asked = this.inTurn(context, async () => {
      const query = { ...spread(`${year}-01-01`, `${year}-12-31`), where, limit: 1 };
      for await (const line of this.api.exportLines(context, query)) if (line !== '') return false;
      return true;
    });
    this.emptyYears.set(`${year} ${where}`, asked);
    asked.catch(() => this.emptyYears.delete(`${year} ${where}`));
    return asked;
  }

  private async readAll(): Promise<void> {
    this.isReading = true;
    while (this.waiting.length > 0) await this.readNext(this.waiting[0] as Waiting);
    this.isReading = false;
  }

  /** All waiting slices of the same days share the export. */
  private async readNext(first: Waiting): Promise<void> {
    let group: Waiting[] = [];
    try {
      const kept = await this.inTurn(first.context, () => {
        const { from, to } = first.slice;
        group = this.waiting.filter(({ slice }) => slice.from === from && slice.to === to);
        this.remove(group);
        return this.readRange(
          first.context,
          group.map(({ slice }) => slice),
        );
      });
      for (const { slice, resolve } of group) resolve(rowsOf(kept, slice));
    } catch (error) {
      this.remove([first]);
      for (const { reject } of group.length > 0 ? group : [first]) reject(error);
    }
  }

  private remove(group: Waiting[]): void {
    for (const one of group) if (this.waiting.includes(one)) this.waiting.splice(this.waiting.indexOf(one), 1);
  }

  /** Exports the days of the slices, which are equal. */
  private async readRange(context: ConnectorContext, slices: Slice[]): Promise<Kept> {
    const { from, to } = slices[0] as Slice;
    const sentBefore = this.sentCount;
    const accounts = [...new Set(slices.map(({ account }) => account.externalId))];
    const streams = [...new Set(slices.map(({ stream }) => stream.name))];
    const where = this.isNarrow ? `${ours(accounts)} and properties["stream"] in ${JSON.stringify(streams)}` : ours(accounts);
    const lines = this.api.exportLines(context, { ...spread(from, to), where });
    const asked = new Set(slices.map(placeOf));
    const { places, isAskedOnly } = await readVisible(lines, { asked, limit: this.sharedEvents });
    const kept = { from, to, accounts, only: isAskedOnly || this.isNarrow ? asked : null, sentBefore, places };
    this.isNarrow ||= isAskedOnly;
    this.keep(kept);
    return kept;
  }

  private keep(newest: Kept): void {
    let rows = 0;
    this.kept = [newest, ...this.kept].filter((one) => (rows += countRows(one)) <= KEPT_ROWS);
  }

  /** Runs exports sequentially with a pause in between. */
  private inTurn<Result>({ signal }: ConnectorContext, work: () => Promise<Result>): Promise<Result> {
    const turn = this.nextExport.then(work);
    this.nextExport = turn.then(
      () => delay(this.pauseMs, undefined, { signal }).catch(() => undefined),
      () => undefined,
    );
    return turn;
  }
}

function covers({ from, to, accounts, only }: Kept, slice: Slice): boolean {
  const hasPlace = only ? only.has(placeOf(slice)) : accounts.includes(slice.account.externalId);
  return hasPlace && from <= slice.from && to >= slice.to;
}

function checksumOf(rows: VisibleRows): number {
  return [...rows.values()].reduce((sum, { checksum }) => sum + checksum, 0);
}

function countRows({ places }: Kept): number {
  return [...places.values()].reduce((sum, rows) => sum + rows.size, 0);
}

function rowsOf(kept: Kept, slice: Slice): VisibleRows {
  const rows = kept.places.get(placeOf(slice)) ?? new Map();
  return new Map([...rows].filter(([, { day }]) => day >= slice.from && day <= slice.to));
}

/** Adds a day at both ends. Export days are in UTC or in the project's zone, and today's events have a time before noon. */
function spread(from: Day, to: Day): Pick<EventQuery, 'from' | 'to'> {
  return { from: addDays(from, -1), to: addDays(to, 1) };
}

function ours(accounts: string[] | null): string {
  const mark = `properties["loaded_by"] == ${JSON.stringify(LOADED_BY)}`;
  return accounts === null ? mark : `${mark} and properties["account_id"] in ${JSON.stringify(accounts)}`;
}
