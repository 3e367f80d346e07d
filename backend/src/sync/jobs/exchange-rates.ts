import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { unzipSync } from 'fflate';
import type { Logger } from 'pino';
import type { Day, Exchange } from '../../connectors/kit/contract.js';
import { addDays } from '../../connectors/kit/days.js';
import { Database } from '../../core/database/database.js';
import { dateToDay, dayToDate } from '../../core/database/days.js';
import { ENV, type Env } from '../../core/config/env.js';
import { defineScheduledJob } from '../../core/jobs/define-job.js';
import { Jobs } from '../../core/jobs/jobs.js';
import { LOGGER } from '../../core/observability/logger.js';
import { readRates } from './read-rates.js';

// SQL: thousands of rates in one statement (upsert with unnest).

const loadExchangeRates = defineScheduledJob('load-exchange-rates', 'every-night');

const TIMEOUT_MS = 60_000;
/** 25 years of 40 currencies are 10 MB as text. */
const ANSWER_LIMIT_BYTES = 64 * 1024 * 1024;
/** On weekends and holidays the previous rate is used. Christmas and Easter close the market for at most five days. */
const LOOK_BACK_DAYS = 7;

interface Days {
  from: Day;
  /** Absent: up to the newest rate. */
  to?: Day;
}

/** Stores the operator's reference rates and converts amounts of a day. */
@Injectable()
export class ExchangeRates implements OnModuleInit {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly database: Database,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(loadExchangeRates, () => this.load());
  }

  /** Whether the operator has set a rate source. */
  get isSet(): boolean {
    return Boolean(this.env.EXCHANGE_RATES_URL);
  }

  /**
   * The rates of these days, which can be before the history of a connection. Null without a rate source: amounts keep their currency.
   * Loads the rates if there are none yet.
   */
  async open(currency: string, other: string, { from, to }: Days): Promise<Exchange | null> {
    if (!this.isSet) return null;
    // Nothing to convert: most organizations use the currency of their accounts.
    if (other === currency) return { currency, rate: (from) => (from === currency ? 1 : null) };
    const rates = await this.ratesOrLoad([other, currency], { from, to });
    return { currency, rate: (from, day) => rateBetween(rates, from, currency, day) };
  }

  /** With stored rates only, for an answer that must not wait for the rate source. Days without a rate return null. */
  async openStored(currency: string, others: string[], from: Day): Promise<Exchange> {
    const isSame = others.every((other) => other === currency);
    const rates = isSame ? new Map() : await this.ratesByCurrency([...others, currency], { from });
    return { currency, rate: (from, day) => rateBetween(rates, from, currency, day) };
  }

  /** Adds and corrects rates. A currency that is no longer published keeps its past rates. */
  async load(): Promise<void> {
    if (!this.env.EXCHANGE_RATES_URL) return;
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(this.env.EXCHANGE_RATES_URL, { signal, redirect: 'error' });
    if (!response.ok) throw new Error(`the rate source returned status ${response.status}`);
    const rates = readRates(textOf(new Uint8Array(await response.arrayBuffer())));
    await this.database.pool.query(
      `insert into exchange_rates (day, currency, per_euro)
       select * from unnest($1::date[], $2::text[], $3::float8[])
       on conflict (currency, day) do update set per_euro = excluded.per_euro where exchange_rates.per_euro <> excluded.per_euro`,
      [rates.map(({ day }) => day), rates.map(({ currency }) => currency), rates.map(({ perEuro }) => perEuro)],
    );
    this.logger.info({ rates: rates.length }, 'exchange rates loaded');
  }

  private async ratesOrLoad(currencies: string[], days: Days): Promise<Map<string, Map<Day, number>>> {
    const stored = await this.ratesByCurrency(currencies, days);
    if (stored.size > 0) return stored;
    if (await this.isEmpty())
      await this.load().catch((error: unknown) => this.logger.warn({ err: error }, 'could not load the exchange rates'));
    // Another chunk may have loaded them in the meantime.
    return this.ratesByCurrency(currencies, days);
  }

  private async isEmpty(): Promise<boolean> {
    return (await this.database.prisma.exchangeRate.findFirst()) === null;
  }

  private async ratesByCurrency(currencies: string[], { from, to }: Days): Promise<Map<string, Map<Day, number>>> {
    const day = { gte: dayToDate(addDays(from, -LOOK_BACK_DAYS)), ...(to && { lte: dayToDate(to) }) };
    const rows = await this.database.prisma.exchangeRate.findMany({ where: { currency: { in: currencies }, day } });
    const rates = new Map<string, Map<Day, number>>();
    for (const { day, currency, perEuro } of rows) {
      const days = rates.get(currency) ?? new Map<Day, number>();
      rates.set(currency, days.set(dateToDay(day), perEuro));
    }
    return rates;
  }
}

function rateBetween(rates: Map<string, Map<Day, number>>, from: string, to: string, day: Day): number | null {
  if (from === to) return 1;
  const [source, target] = [perEuro(rates, from, day), perEuro(rates, to, day)];
  return source === null || target === null ? null : target / source;
}

function perEuro(rates: Map<string, Map<Day, number>>, currency: string, day: Day): number | null {
  if (currency === 'EUR') return 1;
  const days = rates.get(currency);
  for (let back = 0; back <= LOOK_BACK_DAYS; back++) {
    const rate = days?.get(addDays(day, -back));
    if (rate !== undefined) return rate;
  }
  return null;
}

/** The European Central Bank publishes its history as a ZIP of one CSV. */
function textOf(bytes: Uint8Array): string {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const [content] = isZip
    ? Object.values(unzipSync(bytes, { filter: (file) => file.originalSize <= ANSWER_LIMIT_BYTES }))
    : [bytes];
  return Buffer.from(content ?? new Uint8Array()).toString('utf8');
}
