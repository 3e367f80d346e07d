import type { AdAccount, ConnectorContext } from '../kit/contract.js';
import type { StripeApi } from './api.js';
import { accountSchema, balanceTransactionSchema, type StripeAccount } from './objects.js';

/** Transactions in which other settlement currencies are looked for. */
const NEWEST = 100;

/**
 * One account for each currency in which Stripe settles, so that amounts of a day are sums of one currency. The id of the default
 * currency is that of the Stripe account; others add the currency: `acct_1/usd`.
 */
export async function listAccounts(api: StripeApi, context: ConnectorContext): Promise<AdAccount[]> {
  const account = await api.get(context, '/v1/account', accountSchema);
  const currencies = new Set([account.default_currency]);
  for await (const page of api.list(context, '/v1/balance_transactions', balanceTransactionSchema, { limit: NEWEST })) {
    for (const { currency } of page) currencies.add(currency);
    break;
  }
  return [...currencies].map((currency) => toAccount(account, currency));
}

/**
 * The known accounts and new ones. A list shows only some currencies, so none is dropped, and a known id keeps its currency: rows of
 * it were loaded. If the default currency changes, the new one therefore gets an id of its own.
 */
export function mergeAccounts(known: AdAccount[], listed: AdAccount[]): AdAccount[] {
  const added = listed.filter(({ currency }) => !known.some((one) => one.currency === currency));
  const isSame = (one: AdAccount, other: AdAccount) => one.externalId === other.externalId && one.currency === other.currency;
  const kept = known.map((account) => listed.find((one) => isSame(one, account)) ?? account);
  return [...kept, ...added.map((account) => (known.length > 0 ? inCurrency(account, account.currency) : account))];
}

/** The account of another currency in which Stripe settles. */
export function inCurrency({ externalId, name, ...rest }: AdAccount, currency: string): AdAccount {
  const [id] = externalId.split('/');
  const code = currency.toUpperCase();
  const plainName = name.endsWith(` (${rest.currency})`) ? name.slice(0, -` (${rest.currency})`.length) : name;
  return { ...rest, externalId: `${id}/${code.toLowerCase()}`, name: `${plainName} (${code})`, currency: code };
}

/** The currency is null in the id of the default currency. */
export function accountOf(externalId: string): { isDefault: boolean; currency: string | null } {
  const [, currency = null] = externalId.split('/');
  return { isDefault: currency === null, currency };
}

function toAccount(account: StripeAccount, currency: string): AdAccount {
  const name = account.settings?.dashboard?.display_name ?? account.business_profile?.name ?? account.id;
  const own: AdAccount = {
    ...{ externalId: account.id, name, currency: account.default_currency.toUpperCase(), timeZone: 'UTC' },
    ...{ managerId: null, managerName: null, status: 'enabled' },
  };
  return currency === account.default_currency ? own : inCurrency(own, currency);
}
