import { z } from 'zod';
import type { AdAccount, ConnectorContext } from '../kit/contract.js';
import { NOTHING_TO_DO } from '../kit/error-table.js';
import { type ConnectorError, ReconnectNeeded, RetryLater, SkipAccount } from '../kit/errors.js';
import type { GraphApi } from './api.js';
import { corrupt } from './errors.js';
import { readPages } from './paging.js';
import { grantedPermissions } from './permissions.js';

const accountSchema = z.object({
  account_id: z.string().regex(/^\d+$/),
  name: z.string().default(''),
  currency: z.string().regex(/^[A-Z]{3}$/),
  timezone_name: z.string().min(1),
  account_status: z.number(),
  business_name: z.string().optional(),
});

/**
 * Numbers of the AdAccount node: 2 disabled, 100 pending closure, 101 closed, 202 any closed. All map to `disabled`, because
 * `closed` accounts are never read. Reports of a closed account stay readable; if one does not, the account is skipped.
 */
const statuses: Record<number, AdAccount['status']> = { 2: 'disabled', 100: 'disabled', 101: 'disabled', 202: 'disabled' };

/** Every ad account of the connected user, grouped by the business that owns it. */
export async function listAccounts(api: GraphApi, context: ConnectorContext): Promise<AdAccount[]> {
  // `business` requires business_management; without it the whole call fails with (#100) or (#200) (PostHog PRs #77748, #80771).
  const fields = 'account_id,name,currency,timezone_name,account_status,business_name';
  const accounts: AdAccount[] = [];
  try {
    for await (const page of readPages(api, context, 'me/adaccounts', { fields, limit: '100' }))
      accounts.push(...page.map(toAccount));
  } catch (error) {
    throw error instanceof SkipAccount ? await refusalOfList(api, context, error) : error;
  }
  if (accounts.length === 0) throw withoutAccounts();
  return accounts.sort((left, right) => (left.name < right.name ? -1 : 1));
}

function toAccount(node: unknown): AdAccount {
  const checked = accountSchema.safeParse(node);
  if (!checked.success) {
    const place = checked.error.issues[0]?.path.join('.') ?? 'the top level';
    throw corrupt('unexpected_account', `Meta sent an ad account with an unexpected value at ${place}.`);
  }
  const { account_id: id, name, currency, timezone_name: timeZone, account_status: status } = checked.data;
  const business = checked.data.business_name || null;
  return {
    externalId: id,
    name: name === '' ? id : name,
    currency,
    timeZone,
    managerId: business,
    managerName: business,
    status: statuses[status] ?? 'enabled',
  };
}

/**
 * The list concerns no single account. A permission that was removed at Facebook leaves the token valid, and only a new sign-in helps.
 * While the permission is granted, the answer is assumed to be temporary.
 */
async function refusalOfList(api: GraphApi, context: ConnectorContext, cause: SkipAccount): Promise<ConnectorError> {
  const { code, providerRequestId } = cause;
  const granted = grantedPermissions(await api.get(context, 'me/permissions'));
  return granted?.includes('ads_read')
    ? new RetryLater(
        { code, message: 'Meta did not return the ad accounts of the connected user.', action: NOTHING_TO_DO, providerRequestId },
        { cause },
      )
    : new ReconnectNeeded(
        {
          code,
          message: 'The connected Facebook user has not granted permission to read ads, or has removed it.',
          action: 'Reconnect with Meta and allow all permissions',
          providerRequestId,
        },
        { cause },
      );
}

function withoutAccounts(): ReconnectNeeded {
  return new ReconnectNeeded({
    code: 'meta_ads.no_ad_account',
    message: 'The connected Facebook user has no ad account.',
    action: 'Reconnect with Meta as a user with an ad account',
  });
}
