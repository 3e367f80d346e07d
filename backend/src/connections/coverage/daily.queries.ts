import { Injectable } from '@nestjs/common';
import type { Exchange } from '../../connectors/kit/contract.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { countRunsByDay } from '../../read-models/index.js';
import { ExchangeRates } from '../../sync/index.js';
import type { ConnectionEntry } from '../connections.dto.js';
import type { CurrencyCost, DailyAnswer, DailyEntry, DailyQuery } from './coverage.dto.js';
import { rangeOf } from './coverage.queries.js';

// SQL: a report over all account-days of the range.

/** Sums of one day over the accounts with one currency. */
interface DailyRow {
  date: string;
  currency: string;
  rows: number;
  provisionalRows: number;
  costMicros: string;
  isProvisional: boolean;
}

/** Rows, cost and runs of each day. */
@Injectable()
export class DailyQueries {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly rates: ExchangeRates,
  ) {}

  /** Rows of all streams, and cost of only the first one, because every stream contains the same cost. */
  async getDaily(organizationId: string, connection: ConnectionEntry, query: DailyQuery): Promise<DailyAnswer> {
    const { from, to } = rangeOf(query);
    const { accounts } = connection.source;
    const rows = await this.tenants.query<DailyRow>(
      organizationId,
      `select v.day as date, account.currency, sum(v.rows)::float8 as rows,
              coalesce(sum(v.rows) filter (where v.state = 'provisional'), 0)::float8 as "provisionalRows",
              coalesce(sum(v.cost_micros) filter (where v.stream = $5), 0)::text as "costMicros",
              bool_or(v.state = 'provisional') as "isProvisional"
         from coverage v join unnest($6::text[], $7::text[]) as account(id, currency) on account.id = v.account_id
        where v.organization_id = $1 and v.connection_id = $2 and v.day between $3 and $4
          and v.state not in ('missing', 'loading', 'failed')
        group by v.day, account.currency order by v.day, account.currency`,
      [
        connection.id,
        from,
        to,
        connection.streams.find(({ isSelected }) => isSelected)?.name ?? '',
        accounts.map(({ externalId }) => externalId),
        accounts.map((account) => account.currency),
      ],
    );
    const currencies = [...new Set(accounts.map((account) => account.currency))].sort();
    const isMixedCurrency = currencies.length > 1;
    const [single] = currencies;
    const currency = single !== undefined && !isMixedCurrency ? single : await this.currencyOf(organizationId);
    const exchange = await this.rates.openStored(currency, currencies, from);
    const runs = await countRunsByDay(this.tenants, organizationId, connection.id, { from, to });
    return { currency, isMixedCurrency, ...totalsOf(rows, currencies, exchange), runs };
  }

  private async currencyOf(organizationId: string): Promise<string> {
    const [row] = await this.tenants.query<{ currency: string }>(
      organizationId,
      'select currency from organizations where id = $1',
      [],
    );
    return row?.currency ?? 'USD';
  }
}

/** Sums by day and by currency. A sum with an amount without a rate is null. */
function totalsOf(rows: DailyRow[], currencies: string[], exchange: Exchange): Pick<DailyAnswer, 'currencies' | 'days'> {
  const byDay = new Map<string, DailyEntry>();
  const byCurrency = new Map(
    currencies.map((currency): [string, CurrencyCost] => [currency, { currency, costMicros: '0', convertedMicros: '0' }]),
  );
  for (const { date, currency, rows: count, provisionalRows, costMicros, isProvisional } of rows) {
    const converted = convert(costMicros, exchange.rate(currency, date));
    const day = byDay.get(date) ?? { date, rows: 0, provisionalRows: 0, costMicros: '0', isProvisional: false };
    byDay.set(date, {
      date,
      rows: day.rows + count,
      provisionalRows: day.provisionalRows + provisionalRows,
      costMicros: add(day.costMicros, converted),
      isProvisional: day.isProvisional || isProvisional,
    });
    const total = byCurrency.get(currency);
    if (!total) continue;
    total.costMicros = String(BigInt(total.costMicros) + BigInt(costMicros));
    total.convertedMicros = add(total.convertedMicros, converted);
  }
  return { currencies: [...byCurrency.values()], days: [...byDay.values()] };
}

const add = (sum: string | null, amount: string | null): string | null =>
  sum === null || amount === null ? null : String(BigInt(sum) + BigInt(amount));

/** Nothing was spent: no rate is needed. */
function convert(costMicros: string, rate: number | null): string | null {
  if (costMicros === '0' || rate === 1) return costMicros;
  return rate === null ? null : String(Math.round(Number(costMicros) * rate));
}
