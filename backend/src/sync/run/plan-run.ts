import type { AdAccount, ConnectorContext, Stream } from '../../connectors/kit/contract.js';
import { FixSettings, RetryLater, SkipAccount } from '../../connectors/kit/errors.js';
import { withoutColumns } from '../../connectors/kit/rows/excluded-columns.js';
import { dayInTimeZone } from '../../connectors/kit/days.js';
import { removeUnavailableDays } from '../ledger/unavailable-days.js';
import { allLoaded, noLongerAvailable, notStarted } from './nothing-to-load.js';
import { planSlices } from './plan-slices.js';
import type { RunParts } from './run-parts.js';
import { planScope } from './run-scope.js';

const WIDE_LOOKBACK_DAYS = 30;
/** Consecutive accounts whose lookback window cannot be read before the run waits, because the platform is down. */
const MOST_FAILING_ACCOUNTS = 3;

/** Plans a run: its streams and accounts, the lookback window of each account, and the slices to load. */
export class RunPlanner {
  readonly streams: Map<string, Stream>;
  /** The same streams without the columns that the connection excludes, and in a re-sync with the new table. */
  readonly written: Map<string, Stream>;
  readonly accounts: Map<string, AdAccount>;
  readonly lookbackDays = new Map<string, number>();
  private readonly selected: string[];
  private readonly parts: RunParts;
  private readonly now: Date;
  private failingAccounts = 0;

  constructor(parts: RunParts, now: Date) {
    const { connection, source } = parts;
    this.parts = parts;
    this.now = now;
    const { resync } = parts.lease;
    this.selected = resync ? connection.streams.filter((name) => name === resync.stream) : connection.streams;
    this.streams = new Map(
      source.connector.streams.filter(({ name }) => this.selected.includes(name)).map((stream) => [stream.name, stream]),
    );
    const written = [...this.streams.values()].map((stream) => withoutColumns(stream, connection.leftOut[stream.name]));
    const table = connection.resyncTable;
    this.written = new Map(written.map((stream) => [stream.name, table === null ? stream : { ...stream, table }]));
    this.accounts = new Map(source.accounts.map((account) => [account.externalId, account]));
  }

  /** A manual run reads the whole lookback window. A scheduled run reads it once a day. */
  private get isWhole(): boolean {
    return this.parts.connection.kind === 'manual';
  }

  /** Fails the run if a selected stream is missing: skipping it silently would report success without its data. */
  assertOffered(): void {
    const gone = this.selected.filter((name) => !this.streams.has(name));
    if (gone.length > 0 || this.selected.length === 0) throw notOffered(gone);
  }

  async refreshLookbacks(context: ConnectorContext): Promise<void> {
    const { connection, source, knownWindows } = this.parts;
    const wanted = connection.lookbackDays ?? source.lookbackDays;
    const known = this.isWhole ? new Map<string, number>() : knownWindows;
    for (const account of this.accounts.values()) {
      const days = wanted ?? known.get(account.externalId) ?? (await this.learnLookback(context, account));
      this.lookbackDays.set(account.externalId, days);
    }
  }

  async plan(): Promise<void> {
    const { lease, connection, source, queries, ledger, log } = this.parts;
    const historyFrom = laterOf(connection.historyFrom, source.earliestAvailable);
    const accounts = [...this.accounts.values()];
    const { organizationId } = lease;
    const arrived = await queries.listArrivedDays(organizationId, connection.connectionId, accounts, this.now);
    const wanted = connection.scope
      ? planScope(connection.scope, arrived.settledDays, source.earliestAvailable)
      : planSlices({
          streams: [...this.streams.values()],
          accounts,
          lookbackDays: this.lookbackDays,
          historyFrom,
          now: this.now,
          ...arrived,
          lostDays: await queries.listLostDays(organizationId, connection, source.earliestAvailable),
          isWhole: this.isWhole,
        });
    if (wanted.length === 0) throw connection.scope ? allLoaded() : this.nothingToPlan(historyFrom);
    const slices = await ledger.savePlan(lease, wanted);
    const days = slices.flatMap((slice) => [slice.from, slice.to]).sort();
    const window = { from: days[0] ?? historyFrom, to: days.at(-1) ?? historyFrom };
    await log.write(
      lease,
      'info',
      `Planned ${slices.length} chunks: ${this.streams.size} streams, ${this.accounts.size} accounts, ${window.from} to ${window.to}.`,
    );
  }

  /**
   * A run may resume days after it was planned, and the platform's first day moves every day. The swap of a re-sync needs all its
   * days, so it keeps them.
   */
  async removeUnavailableDays(): Promise<void> {
    const { lease, source, ledger, log } = this.parts;
    const { earliestAvailable: first, providerName } = source;
    if (first === null || lease.resync?.isSwap) return;
    await ledger.fenced(lease, async (query) => {
      const { changed, remaining } = await removeUnavailableDays(query, lease.runId, first);
      if (changed === 0) return;
      if (remaining === 0) throw noLongerAvailable(providerName, first);
      await log.write(
        lease,
        'info',
        `${providerName} no longer has daily data before ${first}: the plan leaves out earlier days.`,
      );
    });
  }

  /** Today is always read, so an empty plan means that history has not begun or that there is no account. */
  private nothingToPlan(historyFrom: string): Error {
    const accounts = [...this.accounts.values()];
    if (accounts.length === 0) return noAccounts();
    if (accounts.every(({ timeZone }) => historyFrom > dayInTimeZone(this.now, timeZone))) return notStarted(historyFrom);
    return new Error('the plan is empty although there are days to read');
  }

  /** An account that cannot be read fails when its slices are read. Until then it gets the widest usual window. */
  private async learnLookback(context: ConnectorContext, account: AdAccount): Promise<number> {
    if (account.status === 'closed' || account.problem !== undefined) return WIDE_LOOKBACK_DAYS;
    const { lease, connection, source, windows } = this.parts;
    try {
      const days = await source.connector.lookbackDays(context, account);
      await windows.save(lease.organizationId, connection.sourceId, account.externalId, days);
      this.failingAccounts = 0;
      return days;
    } catch (error) {
      if (error instanceof SkipAccount || this.isOfThisAccount(error)) return WIDE_LOOKBACK_DAYS;
      throw error;
    }
  }

  /** An error of one account must not stop or delay the other accounts. */
  private isOfThisAccount(error: unknown): boolean {
    if (!(error instanceof RetryLater || error instanceof FixSettings) || error.failureClass === 'quota') return false;
    this.failingAccounts += 1;
    return this.accounts.size > 1 && this.failingAccounts < MOST_FAILING_ACCOUNTS;
  }
}

/** A platform rejects a whole request that contains a day it no longer stores. */
const laterOf = (day: string, earliest: string | null): string => (earliest !== null && earliest > day ? earliest : day);

const notOffered = (streams: string[]): FixSettings =>
  new FixSettings({
    code: 'sync.stream_gone',
    message: `The source no longer provides ${streams.join(', ') || 'any stream of this connection'}. Nothing was loaded.`,
    action: 'Choose the streams of the connection again',
  });

const noAccounts = (): FixSettings =>
  new FixSettings({
    code: 'sync.no_accounts',
    message: 'The source has no account, so there is nothing to read.',
    action: 'Choose accounts for the source',
  });
