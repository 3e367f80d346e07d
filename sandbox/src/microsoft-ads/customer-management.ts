import type { Exchange } from '../router.ts';
import { accounts, customerNames, type Account, type User } from './accounts.ts';
import { ApiFault, notAuthorized, unreadableRequest } from './errors.ts';
import { strike } from './faults.ts';
import { isRecord } from './report-request.ts';
import type { MicrosoftAdsState } from './state.ts';

const largestPage = 1_000;

/** User/Query: null requests the own user. Other users are not visible. */
export function getUser(body: Record<string, unknown>, user: User): Record<string, unknown> {
  if (body.UserId != null && String(body.UserId) !== user.id) throw notAuthorized();
  const customerIds = new Set(user.accountIds.flatMap((id) => accounts.get(id)?.customerId ?? []));
  return {
    CustomerRoles: [...customerIds].map((customerId) => ({
      AccountIds: null,
      CustomerId: customerId,
      CustomerLinkPermission: null,
      LinkedAccountIds: null,
      RoleId: 41,
    })),
    User: {
      ContactInfo: { Email: user.email },
      CustomerId: [...customerIds][0] ?? null,
      Id: user.id,
      Name: { FirstName: 'Sandbox', LastName: 'User' },
      UserLifeCycleStatus: 'Active',
      UserName: user.email,
    },
  };
}

/** CustomersInfo/Query: the customers of the user's accounts. */
export function getCustomersInfo(body: Record<string, unknown>, user: User): Record<string, unknown> {
  const filter = String(body.CustomerNameFilter ?? '').toLowerCase();
  const topN = Number(body.TopN);
  if (!Number.isInteger(topN) || topN < 1) throw invalidInput('TopN must be 1 or more');
  const ids = new Set(user.accountIds.flatMap((id) => accounts.get(id)?.customerId ?? []));
  const customers = [...ids].map((id) => ({ Id: id, Name: customerNames[id] ?? '' }));
  return { CustomersInfo: customers.filter(({ Name }) => Name.toLowerCase().startsWith(filter)).slice(0, topN) };
}

/** Accounts/Search: pages by index. The answer does not indicate the last page. */
export function searchAccounts(
  state: MicrosoftAdsState,
  exchange: Exchange,
  body: Record<string, unknown>,
  user: User,
): Record<string, unknown> {
  checkPredicates(body.Predicates, user);
  const { index, size } = readPage(body.PageInfo);
  const isRepeated = index > 0 && strike(state.faults, exchange, 'repeat_page', { endpoint: 'api' });
  const start = (isRepeated ? index - 1 : index) * size;
  const page = user.accountIds.slice(start, start + size);
  return {
    Accounts: page
      .flatMap((id) => accounts.get(id) ?? [])
      .map((account) => {
        const hasNewZone = strike(state.faults, exchange, 'new_time_zone', { endpoint: 'api', accountId: account.id });
        return accountJson(hasNewZone ? { ...account, timeZone: 'Kiritimati' } : account);
      }),
  };
}

function checkPredicates(predicates: unknown, user: User): void {
  const all: unknown[] = Array.isArray(predicates) ? predicates : [];
  const [predicate] = all.filter((one) => isRecord(one) && one.Field !== 'AccountLifeCycleStatus');
  if (all.length !== 1 || !isRecord(predicate)) throw invalidInput('exactly one predicate is expected');
  if (predicate.Field !== 'UserId' || predicate.Operator !== 'Equals') throw invalidInput('only UserId Equals is supported');
  if (String(predicate.Value) !== user.id) throw notAuthorized();
}

function readPage(pageInfo: unknown): { index: number; size: number } {
  if (!isRecord(pageInfo)) throw unreadableRequest('PageInfo is missing');
  const [index, size] = [Number(pageInfo.Index), Number(pageInfo.Size)];
  if (!Number.isInteger(index) || index < 0) throw invalidInput('PageInfo.Index must be 0 or more');
  if (!Number.isInteger(size) || size < 1 || size > largestPage) throw invalidInput(`PageInfo.Size must be 1 to ${largestPage}`);
  return { index, size };
}

function accountJson(account: Account): Record<string, unknown> {
  return {
    AccountFinancialStatus: 'ClearFinancialStatus',
    AccountLifeCycleStatus: account.lifeCycleStatus,
    AccountMode: 'Expert',
    AutoTagType: 'Inactive',
    CurrencyCode: account.currencyCode,
    Id: account.id,
    Language: 'English',
    Name: account.name,
    Number: account.number,
    ParentCustomerId: account.customerId,
    PauseReason: null,
    TimeZone: account.timeZone,
  };
}

function invalidInput(detail: string): ApiFault {
  return new ApiFault(400, 201, 'ApiInputValidationError', 'One or more input elements failed validation.', detail);
}
