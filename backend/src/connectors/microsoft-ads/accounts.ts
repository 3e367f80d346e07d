import type { AdAccount, ConnectorContext } from '../kit/contract.js';
import { CorruptAnswer, FixSettings } from '../kit/errors.js';
import type { ListedAccount, MicrosoftAdsApi } from './api.js';
import { nothingToDo } from './errors.js';
import { ianaZone } from './time-zones.js';

const PAGE_SIZE = 100;
const MINUTES_PER_DAY = 24 * 60;
/** Even where goals have short windows, or there are none, Microsoft takes back invalid clicks for a week or more. */
const MINIMUM_LOOKBACK_DAYS = 30;
const MAXIMUM_LOOKBACK_DAYS = 90;

/** Every ad account the user reaches, with the customer that owns it. */
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

/** Only to be shown: a user whom Microsoft does not let see them still sees the accounts. */
async function customerNames(api: MicrosoftAdsApi, context: ConnectorContext): Promise<Map<string, string>> {
  return api.listCustomers(context).catch((error: unknown) => {
    if (error instanceof FixSettings) return new Map();
    throw error;
  });
}

function toAdAccount(account: ListedAccount, customers: Map<string, string>): AdAccount {
  const zone = ianaZone(account.TimeZone ?? '');
  return {
    externalId: account.Id,
    name: account.Name || account.Id,
    currency: account.CurrencyCode ?? '',
    // Never read in: reports are refused for an account in it.
    timeZone: zone ?? 'Etc/UTC',
    managerId: account.ParentCustomerId,
    managerName: customers.get(account.ParentCustomerId) ?? account.ParentCustomerId,
    status: zone === null ? 'disabled' : toStatus(account.AccountLifeCycleStatus ?? ''),
    ...(zone === null && { problem: unknownZone(account) }),
  };
}

const unknownZone = ({ TimeZone }: ListedAccount): string =>
  `Its time zone "${TimeZone ?? ''}" is not known here, so its days cannot be named. Send this name to the operator of this installation.`;

/** Inactive is Microsoft's end of an account; paused, pending, suspended and draft ones may come back. */
function toStatus(status: string): AdAccount['status'] {
  if (status === 'Active') return 'enabled';
  return status === 'Inactive' ? 'closed' : 'disabled';
}

/** The longest window in which a conversion may still be counted on a day that has passed. */
export async function lookbackDays(api: MicrosoftAdsApi, context: ConnectorContext, account: AdAccount): Promise<number> {
  const windows = (await api.listGoalWindows(context, account)).map((minutes) => Math.ceil(minutes / MINUTES_PER_DAY));
  return Math.min(MAXIMUM_LOOKBACK_DAYS, Math.max(MINIMUM_LOOKBACK_DAYS, ...windows));
}

/** Pages are counted, so a page that comes twice means that another one never came. */
function repeatedAccount(id: string): CorruptAnswer {
  return new CorruptAnswer({
    code: 'microsoft_ads.account_repeated',
    message: `Microsoft Advertising listed the account ${id} twice: the list is not whole.`,
    action: nothingToDo,
  });
}
