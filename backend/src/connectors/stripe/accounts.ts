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

/** The currency is null in the id of the default currency. */
export function accountOf(externalId: string): { isDefault: boolean; currency: string | null } {
  const [, currency = null] = externalId.split('/');
  return { isDefault: currency === null, currency };
}

function toAccount(account: StripeAccount, currency: string): AdAccount {
  const isDefault = currency === account.default_currency;
  const name = account.settings?.dashboard?.display_name ?? account.business_profile?.name ?? account.id;
  return {
    externalId: isDefault ? account.id : `${account.id}/${currency}`,
    name: isDefault ? name : `${name} (${currency.toUpperCase()})`,
    currency: currency.toUpperCase(),
    timeZone: 'UTC',
    ...{ managerId: null, managerName: null, status: 'enabled' },
  };
}
