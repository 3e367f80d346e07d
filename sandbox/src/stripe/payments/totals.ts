import { toDate } from '../../clock.ts';
import type { PaymentAccount } from './account.ts';
import { resources } from './resources.ts';
import type { Row } from './table.ts';

const daySeconds = 86_400;

interface Sums {
  rows: number;
  amounts: Record<string, number>;
}

interface TableSums {
  rows: number;
  currencies: Record<string, Sums & { days: Record<string, Sums> }>;
}

/** Amounts that are summed, by table. All are in the smallest unit of the API. */
const amounts: Record<string, string[]> = {
  balance_transactions: ['amount', 'fee', 'net'],
  charges: ['amount', 'amount_captured', 'amount_refunded'],
  payment_intents: ['amount', 'amount_received', 'amount_capturable'],
  refunds: ['amount'],
  disputes: ['amount'],
  invoices: ['total', 'amount_due', 'amount_paid', 'amount_paid_off_stripe', 'amount_remaining'],
  invoice_payments: ['amount_paid', 'amount_requested'],
  payouts: ['amount'],
};

export interface DayRange {
  from: string;
  to: string;
}

/**
 * The sandbox's own sums, to compare with what was loaded: rows and amounts of every table by currency and UTC day of `created`,
 * balance transactions also by category, and what an owner of the account means by sales, refunds and disputes.
 */
export function totalsOf(account: PaymentAccount, range: DayRange | null): Record<string, unknown> {
  const tables = resources.map(
    ({ path, table }) => [path, sumUp(within(table(account).rows, range), amounts[path] ?? [])] as const,
  );
  const booked = within(account.balanceTransactions.rows, range);
  const categories = [...Map.groupBy(booked, (transaction) => transaction.reporting_category)].map(
    ([category, rows]) => [category, sumUp(rows, amounts.balance_transactions ?? [])] as const,
  );
  return {
    account: account.accountId,
    currency: account.identity.currency,
    tables: Object.fromEntries([...tables, ['events', sumUp(within(account.events.rows, range), [])]]),
    categories: Object.fromEntries(categories),
    business: businessOf(account, range),
  };
}

/** Sales by the day of the charge, refunds by their own day. Authorizations that were never captured are neither. */
function businessOf(account: PaymentAccount, range: DayRange | null): Record<string, TableSums> {
  const sales = account.charges.rows.filter(({ status, captured }) => status === 'succeeded' && captured);
  const refunds = account.refunds.rows.filter(({ status, balance_transaction: id }) => {
    const category = id === null ? null : account.balanceTransactions.get(id)?.reporting_category;
    return status !== 'failed' && status !== 'canceled' && category === 'refund';
  });
  const lost = account.disputes.rows.filter(({ balance_transactions }) => balance_transactions.length === 1);
  return {
    sales: sumUp(within(sales, range), ['amount_captured']),
    refunds: sumUp(within(refunds, range), ['amount']),
    disputes: sumUp(within(lost, range), ['amount']),
  };
}

function within<T extends Row>(rows: readonly T[], range: DayRange | null): T[] {
  return range === null ? [...rows] : rows.filter((row) => dayOf(row) >= range.from && dayOf(row) <= range.to);
}

function sumUp(rows: readonly Row[], names: string[]): TableSums {
  const currencies: TableSums['currencies'] = {};
  for (const row of rows) {
    const values = row as unknown as Record<string, unknown>;
    // Customers, products and events have no currency of their own.
    const currency = typeof values.currency === 'string' ? values.currency : 'none';
    const sums = (currencies[currency] ??= { ...emptySums(names), days: {} });
    for (const part of [sums, (sums.days[dayOf(row)] ??= emptySums(names))]) {
      part.rows += 1;
      for (const name of names) part.amounts[name] = (part.amounts[name] ?? 0) + Number(values[name] ?? 0);
    }
  }
  return { rows: rows.length, currencies };
}

function emptySums(names: string[]): Sums {
  return { rows: 0, amounts: Object.fromEntries(names.map((name) => [name, 0])) };
}

function dayOf({ created }: Row): string {
  return toDate(Math.floor(created / daySeconds));
}
