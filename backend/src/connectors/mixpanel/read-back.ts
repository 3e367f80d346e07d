import { setTimeout as delay } from 'node:timers/promises';
import type { ConnectorContext, Day, Slice } from '../kit/contract.js';
import { addDays, listDays } from '../kit/days.js';
import type { EventQuery, MixpanelApi } from './api.js';
import { cutExport, PlanLimit } from './errors.js';
import type { MixpanelSettings } from './settings.js';
import { LOADED_BY } from './shape.js';
import { placeOf, readVisible, type VisibleRows } from './visible.js';

/** Mixpanel answers 3 exports a second at most. */
const EXPORT_PAUSE_MS = 350;
/** Rows of exports that are kept, of all together: slices of one range follow each other. About 15 MB. */
const KEPT_ROWS = 50_000;
const SHARED_EVENTS = 50_000;

interface Waiting {
  context: ConnectorContext;
  slice: Slice;
  resolve(rows: VisibleRows): void;
  reject(error: unknown): void;
}

/** One export of some accounts and days, and when it was made in the count of what was sent. */
interface Kept {
  from: Day;
  to: Day;
  accounts: string[];
  /** Places that were asked for; null: whatever there was of the accounts. */
  only: Set<string> | null;
  sentBefore: number;
  places: Map<string, VisibleRows>;
}

/**
 * What Mixpanel shows, read from its raw export. It answers 60 of them an hour, so slices that ask at the same time share
 * one, and one that was made after the last sending of a slice is not made again.
 */
export class ReadBack {
  private readonly api: MixpanelApi;
  private readonly pauseMs: number;
  private readonly sharedEvents: number;
  private readonly waiting: Waiting[] = [];
  private readonly lastSent = new Map<string, number>();
  private readonly emptyYears = new Map<string, Promise<boolean>>();
  private kept: Kept[] = [];
  /** There is too much to read what nobody has asked for. */
  private isNarrow = false;
  private sentCount = 0;
  private isReading = false;
  private nextExport: Promise<unknown> = Promise.resolve();

  constructor(api: MixpanelApi, settings: Pick<MixpanelSettings, 'exportPauseMs' | 'sharedEvents'>) {
    this.api = api;
    this.pauseMs = settings.exportPauseMs ?? EXPORT_PAUSE_MS;
    this.sharedEvents = settings.sharedEvents ?? SHARED_EVENTS;
  }

  /** What is kept of the slice is out of date from now on. */
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

  /** The same, proved to be whole: a second answer has to hold the same revisions. Costs one of the hour's 60 queries or exports. */
  async provedRows(context: ConnectorContext, slice: Slice): Promise<VisibleRows> {
    this.sent(slice);
    const rows = await this.rows(context, slice);
    if ((await this.sumOfRevisions(context, slice)) !== checksumOf(rows))
      throw cutExport('two answers about the same days differ');
    return rows;
  }

  /** Mixpanel's own sum; of another export where the plan does not include the Query API. */
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

  /** What there was before this run wrote anything of the slice; a slice without a trace costs one export a year, not one each. */
  async rowsBefore(context: ConnectorContext, slice: Slice): Promise<VisibleRows> {
    const years = [...new Set([slice.from.slice(0, 4), slice.to.slice(0, 4)])];
    const answers = await Promise.all(years.map((year) => this.wasEmpty(context, slice, year)));
    if (answers.every(Boolean)) return new Map();
    const rows = await this.rows(context, slice);
    return rows.size === 0 ? rows : this.provedRows(context, slice);
  }

  private async wasEmpty(context: ConnectorContext, slice: Slice, year: string): Promise<boolean> {
    if (await this.askOnce(context, year, ours(null))) return true;
    const where = `${ours([slice.account.externalId])} and properties["stream"] == ${JSON.stringify(slice.stream.name)}`;
    return this.askOnce(context, year, where);
  }

  /** Whether nothing was there when it was first asked. */
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

  /** Everybody who waits for the same days shares the export. */
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

  /** Slices of the same days. */
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

  /** One export after the other, with a pause between. */
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

/** A day more at both ends: days of an export are those of UTC or of the project, and today's events stand before noon. */
function spread(from: Day, to: Day): Pick<EventQuery, 'from' | 'to'> {
  return { from: addDays(from, -1), to: addDays(to, 1) };
}

function ours(accounts: string[] | null): string {
  const mark = `properties["loaded_by"] == ${JSON.stringify(LOADED_BY)}`;
  return accounts === null ? mark : `${mark} and properties["account_id"] in ${JSON.stringify(accounts)}`;
}
