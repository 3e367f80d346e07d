import { InvalidFault } from '../../faults.ts';
import type { Metadata } from '../objects.ts';
import type { PaymentAccount } from './account.ts';
import { stepOf } from './currencies.ts';
import type { Charge } from './objects.ts';
import type { Row, Table } from './table.ts';

export type StepFields = Record<string, unknown>;

/** The fields of one step of a history. Rejects invalid ones with the number of the step. */
export class StepInput {
  readonly account: PaymentAccount;
  /** Unix seconds. */
  readonly at: number;
  readonly #fields: StepFields;
  readonly #where: string;

  constructor(account: PaymentAccount, fields: StepFields, where: string) {
    this.account = account;
    this.#fields = fields;
    this.#where = where;
    this.at = momentOf(fields, account.now(), where);
  }

  refuseOthersThan(known: readonly string[]): void {
    const unknown = Object.keys(this.#fields).find((name) => !known.includes(name));
    if (unknown !== undefined) throw this.invalid(`has no field ${unknown}; known: ${known.join(', ')}`);
  }

  invalid(problem: string): InvalidFault {
    return new InvalidFault(`${this.#where} ${problem}`);
  }

  text(name: string): string | null {
    const value = this.#fields[name];
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') throw this.invalid(`needs a text in ${name}`);
    return value;
  }

  choice<T extends string>(name: string, allowed: readonly T[], otherwise?: T): T {
    const value = this.#fields[name] ?? otherwise;
    const found = allowed.find((item) => item === value);
    if (found === undefined) throw this.invalid(`needs one of ${allowed.join(', ')} in ${name}`);
    return found;
  }

  flag(name: string): boolean {
    return this.optionalFlag(name) ?? false;
  }

  optionalFlag(name: string): boolean | undefined {
    const value = this.#fields[name];
    if (value !== undefined && typeof value !== 'boolean') throw this.invalid(`needs true or false in ${name}`);
    return value;
  }

  integer(name: string, otherwise: number): number {
    const value = this.#fields[name] ?? otherwise;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw this.invalid(`needs a whole number in ${name}`);
    return value;
  }

  optionalInteger(name: string): number | undefined {
    return this.#fields[name] === undefined ? undefined : this.integer(name, 0);
  }

  rate(): number | null {
    const value = this.#fields.exchangeRate ?? null;
    if (value !== null && (typeof value !== 'number' || value <= 0)) throw this.invalid('needs a number above 0 in exchangeRate');
    return value;
  }

  currency(): string {
    const currency = (this.text('currency') ?? this.account.identity.currency).toLowerCase();
    if (!/^[a-z]{3}$/.test(currency)) throw this.invalid('needs three letters in currency');
    const { identity, settlementCurrencies } = this.account;
    if (currency !== identity.currency && !settlementCurrencies.has(currency) && this.rate() === null)
      throw this.invalid(`needs an exchangeRate: the account is in ${identity.currency}`);
    return currency;
  }

  /** In the smallest unit of the API, and a multiple of what the currency allows. */
  amount(currency: string, otherwise?: number, name = 'amount'): number {
    const value = this.#fields[name] ?? otherwise;
    const step = stepOf(currency);
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value % step !== 0)
      throw this.invalid(`needs a multiple of ${step} in ${name} for ${currency}`);
    return value;
  }

  metadata(): Metadata {
    const value = this.#fields.metadata ?? {};
    const isTexts = typeof value === 'object' && Object.values(value).every((item) => typeof item === 'string');
    if (!isTexts) throw this.invalid('needs texts in metadata');
    return value as Metadata;
  }

  list(name: string): StepFields[] {
    const value = this.#fields[name] ?? [];
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'object' && item !== null))
      throw this.invalid(`needs a list of objects in ${name}`);
    return value as StepFields[];
  }

  /** The object with the name that an earlier step gave it, or with its id. */
  row<T extends Row>(name: string, table: Table<T>): T {
    const id = this.id(name);
    const row = id === null ? undefined : table.get(id);
    if (!row) throw this.invalid(`names no known object in ${name}`);
    return row;
  }

  /** A payment: the last charge of a payment intent, or a charge. */
  charge(): Charge {
    const id = this.id('payment');
    const intent = id === null ? undefined : this.account.paymentIntents.get(id);
    const charge = this.account.charges.get(intent?.latest_charge ?? id ?? '');
    if (!charge) throw this.invalid('names no known payment in payment');
    return charge;
  }

  id(name: string): string | null {
    const value = this.text(name);
    return value === null ? null : (this.account.refs.get(value) ?? value);
  }
}

/** `at`: Unix seconds or an ISO time; `daysAgo`: before now; otherwise now. */
export function momentOf({ at, daysAgo }: StepFields, now: number, where: string): number {
  if (typeof daysAgo === 'number' && at === undefined) return now - Math.round(daysAgo * 86_400);
  const moment = typeof at === 'string' ? Math.floor(Date.parse(at) / 1_000) : (at ?? now);
  if (typeof moment !== 'number' || !Number.isInteger(moment) || daysAgo !== undefined)
    throw new InvalidFault(`${where} needs a time: at (Unix seconds or ISO) or daysAgo`);
  return moment;
}
