import type { AdAccount, ConnectorContext } from '../kit/contract.js';
import { CorruptAnswer, FixSettings } from '../kit/errors.js';
import type { ListedAccount, MicrosoftAdsApi } from './api.js';
import { NOTHING_TO_DO } from '../kit/error-table.js';
import { isRefusedUser } from './errors.js';
import { ianaZone } from './time-zones.js';

const PAGE_SIZE = 100;
const MINUTES_PER_DAY = 24 * 60;
/** Microsoft refunds invalid clicks for a week or more, even if goals have shorter windows or there are none. */
const MINIMUM_LOOKBACK_DAYS = 30;
const MAXIMUM_LOOKBACK_DAYS = 90;

/** Every ad account that the user can access, with the customer that owns it. */
export async function listAccounts(api: MicrosoftAdsApi, context: ConnectorContext): Promise<AdAccount[]> {
  const user = await api.getUser(context);
  const accounts = new Map<string, ListedAccount>();
  for (let index = 0; ; index++) {
    const page = await api.searchAccounts(context, user.id, index, PAGE_SIZE);
    for (const account of page) {
      if (accounts.has(account.Id)) throw repeatedAccount(account.Id);
      accounts.set(account.Id, account);
    }
    if (page.length < PAGE_SIZE) break;
  }
  if (accounts.size === 0) return [];
  const customers = await customerNames(api, context);
  return [...accounts.values()]
    .map((account) => toAdAccount(account, customers))
    .sort((left, right) => left.name.localeCompare(right.name, 'en') || (left.externalId < right.externalId ? -1 : 1));
}

/** Only for display: a user without permission to list them still gets the accounts. */
async function customerNames(api: MicrosoftAdsApi, context: ConnectorContext): Promise<Map<string, string>> {
  return api.listCustomers(context).catch((error: unknown) => {
    if (error instanceof FixSettings || isRefusedUser(error)) return new Map();
    throw error;
  });
}

function toAdAccount(account: ListedAccount, customers: Map<string, string>): AdAccount {
  const zone = ianaZone(account.TimeZone ?? '');
  return {
    externalId: account.Id,
    name: account.Name || account.Id,
    currency: account.CurrencyCode ?? '',
    // Never used for reading: no report is requested for such an account.
    timeZone: zone ?? 'Etc/UTC',
    managerId: account.ParentCustomerId,
    managerName: customers.get(account.ParentCustomerId) ?? account.ParentCustomerId,
    status: zone === null ? 'disabled' : toStatus(account.AccountLifeCycleStatus ?? ''),
    ...(zone === null && { problem: unknownZone(account) }),
  };
}

const unknownZone = ({ TimeZone }: ListedAccount): string =>
  `Its time zone "${TimeZone ?? ''}" is not supported. Send this name to the operator of this installation.`;

/** Inactive accounts are closed permanently. Paused, pending, suspended and draft accounts can become active again. */
function toStatus(status: string): AdAccount['status'] {
  if (status === 'Active') return 'enabled';
  return status === 'Inactive' ? 'closed' : 'disabled';
}

/** The longest window in which a conversion may still be attributed to a past day. */
export async function lookbackDays(api: MicrosoftAdsApi, context: ConnectorContext, account: AdAccount): Promise<number> {
  const windows = (await api.listGoalWindows(context, account)).map((minutes) => Math.ceil(minutes / MINUTES_PER_DAY));
  return Math.min(MAXIMUM_LOOKBACK_DAYS, Math.max(MINIMUM_LOOKBACK_DAYS, ...windows));
}

/** Accounts are paged by index, so a duplicate means that another account is missing. */
function repeatedAccount(id: string): CorruptAnswer {
  return new CorruptAnswer({
    code: 'microsoft_ads.account_repeated',
    message: `Microsoft Advertising listed the account ${id} twice. The list is incomplete.`,
    action: NOTHING_TO_DO,
  });
}
