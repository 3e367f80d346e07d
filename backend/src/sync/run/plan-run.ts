import type { AdAccount, ConnectorContext, Stream } from '../../connectors/kit/contract.js';
import { FixSettings, RetryLater, SkipAccount } from '../../connectors/kit/errors.js';
import { withoutColumns } from '../../connectors/kit/excluded-columns.js';
import { dayInTimeZone } from '../../connectors/kit/days.js';
import { notBegun } from './nothing-to-load.js';
import { planSlices } from './plan-slices.js';
import type { RunParts } from './run-parts.js';

const WIDE_LOOKBACK_DAYS = 30;
/** Accounts in a row whose window cannot be learned just now, before the run waits: the platform is down. */
const MOST_FAILING_ACCOUNTS = 3;

/** What a run reads: the streams and accounts it is of, how far back they may still change, and the slices that follow. */
export class RunPlanner {
  readonly streams: Map<string, Stream>;
  /** The same as the destination gets them: without the columns that the connection leaves out. */
  readonly written: Map<string, Stream>;
  readonly accounts: Map<string, AdAccount>;
  readonly lookbackDays = new Map<string, number>();
  private readonly parts: RunParts;
  private readonly now: Date;
  private failingAccounts = 0;

  constructor(parts: RunParts, now: Date) {
    const { connection, source } = parts;
    this.parts = parts;
    this.now = now;
    this.streams = new Map(
      source.connector.streams.filter(({ name }) => connection.streams.includes(name)).map((stream) => [stream.name, stream]),
    );
    this.written = new Map([...this.streams].map(([name, stream]) => [name, withoutColumns(stream, connection.leftOut[name])]));
    this.accounts = new Map(source.accounts.map((account) => [account.externalId, account]));
  }

  /** Who asks for a run wants everything anew; by itself the whole look-back is read once a day. */
  private get isWhole(): boolean {
    return this.parts.connection.kind === 'manual';
  }

  /** A stream that is left out in silence would make a run green that does not bring it. */
  assertOffered(): void {
    const { streams } = this.parts.connection;
    const gone = streams.filter((name) => !this.streams.has(name));
    if (gone.length > 0 || streams.length === 0) throw notOffered(gone);
  }

  async learnLookbacks(context: ConnectorContext): Promise<void> {
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
    const slices = planSlices({
      streams: [...this.streams.values()],
      accounts,
      lookbackDays: this.lookbackDays,
      historyFrom,
      now: this.now,
      ...(await queries.listArrivedDays(lease.organizationId, connection.connectionId, accounts, this.now)),
      isWhole: this.isWhole,
    });
    if (slices.length === 0) throw this.nothingToPlan(historyFrom);
    const days = slices.flatMap((slice) => [slice.from, slice.to]).sort();
    const window = { from: days[0] ?? historyFrom, to: days.at(-1) ?? historyFrom };
    await ledger.savePlan(lease, slices, window);
    await log.write(
      lease,
      'info',
      `Planned ${slices.length} slices: ${this.streams.size} streams, ${this.accounts.size} accounts, ${window.from} to ${window.to}.`,
    );
  }

  /** Today is always read, so without slices there is no day yet, or nobody to ask. */
  private nothingToPlan(historyFrom: string): Error {
    const accounts = [...this.accounts.values()];
    if (accounts.length === 0) return noAccounts();
    if (accounts.every(({ timeZone }) => historyFrom > dayInTimeZone(this.now, timeZone))) return notBegun(historyFrom);
    return new Error('nothing was planned although there are days to read');
  }

  /** An account that cannot be asked is dealt with when its slices are read; until then the widest usual window stands in. */
  private async learnLookback(context: ConnectorContext, account: AdAccount): Promise<number> {
    if (account.status === 'closed' || account.problem !== undefined) return WIDE_LOOKBACK_DAYS;
    const { lease, connection, source, windows } = this.parts;
    try {
      const days = await source.connector.lookbackDays(context, account);
      await windows.keep(lease.organizationId, connection.sourceId, account.externalId, days);
      this.failingAccounts = 0;
      return days;
    } catch (error) {
      if (error instanceof SkipAccount || this.isOfThisAccount(error)) return WIDE_LOOKBACK_DAYS;
      throw error;
    }
  }

  /** A transient error of one account, of several, must not keep the others waiting. */
  private isOfThisAccount(error: unknown): boolean {
    if (!(error instanceof RetryLater) || error.failureClass === 'quota') return false;
    this.failingAccounts += 1;
    return this.accounts.size > 1 && this.failingAccounts < MOST_FAILING_ACCOUNTS;
  }
}

/** A platform that has forgotten a day would refuse the whole question. */
const laterOf = (day: string, earliest: string | null): string => (earliest !== null && earliest > day ? earliest : day);

const notOffered = (streams: string[]): FixSettings =>
  new FixSettings({
    code: 'sync.stream_gone',
    message: `The source no longer brings ${streams.join(', ') || 'any stream of this connection'}. Nothing was loaded.`,
    action: 'Choose the streams of the connection again',
  });

const noAccounts = (): FixSettings =>
  new FixSettings({
    code: 'sync.no_accounts',
    message: 'The source has no account, so there is nothing to read.',
    action: 'Choose accounts for the source',
  });
