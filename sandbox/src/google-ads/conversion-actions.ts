import { accounts, type Account } from './accounts.ts';
import type { AttributeValue } from './fields.ts';

export interface ConversionAction {
  id: string;
  name: string;
  type: 'WEBPAGE' | 'UPLOAD_CLICKS' | 'AD_CALL';
  status: 'ENABLED' | 'REMOVED';
  category: string;
  countingType: 'MANY_PER_CLICK' | 'ONE_PER_CLICK';
  /** The account that owns it. With cross-account conversion tracking this is the manager. */
  ownerId: string;
  /** Whether campaign reports count it. */
  isInReports: boolean;
  clickDays: number;
  viewDays: number;
  defaultValue: number;
  currencyCode: string;
  /** Sent values are ignored, and the value cannot be restated. */
  alwaysUsesDefault: boolean;
}

/** Measured by the website's tag. The longest enabled window is the account's own; the removed action with 90 days must not count. */
function websiteActions(account: Account): ConversionAction[] {
  if (account.isManager) return [];
  const shortDays = Math.min(7, account.lookbackDays);
  return [
    action(account, 1, { name: 'Purchase', isInReports: true, viewDays: account.viewDays }),
    action(account, 2, {
      name: 'Newsletter sign-up',
      category: 'SIGNUP',
      countingType: 'ONE_PER_CLICK',
      isInReports: true,
      clickDays: shortDays,
    }),
    action(account, 3, { name: 'Purchase (old tag)', status: 'REMOVED', clickDays: 90 }),
    action(account, 7, { name: 'Call from an ad', type: 'AD_CALL', category: 'PHONE_CALL_LEAD', clickDays: shortDays }),
  ];
}

/** Recorded by uploads. `account` is the owner. */
function uploadActions(account: Account): ConversionAction[] {
  return [
    action(account, 4, { name: 'Order (import)', type: 'UPLOAD_CLICKS' }),
    action(account, 5, {
      name: 'Qualified lead (import)',
      type: 'UPLOAD_CLICKS',
      category: 'QUALIFIED_LEAD',
      countingType: 'ONE_PER_CLICK',
      clickDays: Math.min(7, account.lookbackDays),
    }),
    action(account, 6, {
      name: 'Signed contract (import)',
      type: 'UPLOAD_CLICKS',
      category: 'CONVERTED_LEAD',
      defaultValue: 50,
      alwaysUsesDefault: true,
    }),
  ];
}

function action(account: Account, number: number, overrides: Partial<ConversionAction> & { name: string }): ConversionAction {
  return {
    id: `7${account.id.slice(-8)}${number}`,
    type: 'WEBPAGE',
    status: 'ENABLED',
    category: 'PURCHASE',
    countingType: 'MANY_PER_CLICK',
    ownerId: account.id,
    isInReports: false,
    clickDays: account.lookbackDays,
    viewDays: 1,
    defaultValue: 1,
    currencyCode: account.currencyCode,
    alwaysUsesDefault: false,
    ...overrides,
  };
}

/** The account in which the account's uploaded conversions are recorded. */
export function conversionCustomerOf(account: Account): Account {
  return (account.conversionCustomerId ? accounts.get(account.conversionCustomerId) : undefined) ?? account;
}

/** All actions that the account can use, in the order of their ids. */
export function conversionActionsOf(account: Account): ConversionAction[] {
  const all = [...websiteActions(account), ...uploadActions(conversionCustomerOf(account))];
  return all.sort((left, right) => Number(left.id.slice(-1)) - Number(right.id.slice(-1)));
}

/** An action by its id, which is unique in all accounts. */
export function findConversionAction(id: string): ConversionAction | undefined {
  for (const account of accounts.values()) {
    const found = conversionActionsOf(account).find((one) => one.id === id && one.ownerId === account.id);
    if (found) return found;
  }
  return undefined;
}

export function conversionActionValues(account: Account): Record<string, AttributeValue>[] {
  return conversionActionsOf(account).map((one) => ({
    'conversion_action.resource_name': `customers/${account.id}/conversionActions/${one.id}`,
    'conversion_action.id': one.id,
    'conversion_action.name': one.name,
    'conversion_action.type': one.type,
    'conversion_action.status': one.status,
    'conversion_action.origin': one.type === 'AD_CALL' ? 'CALL_FROM_ADS' : 'WEBSITE',
    'conversion_action.category': one.category,
    'conversion_action.counting_type': one.countingType,
    'conversion_action.owner_customer': `customers/${one.ownerId}`,
    'conversion_action.primary_for_goal': one.isInReports,
    'conversion_action.include_in_conversions_metric': one.isInReports,
    'conversion_action.click_through_lookback_window_days': one.clickDays,
    'conversion_action.view_through_lookback_window_days': one.viewDays,
    'conversion_action.value_settings.default_value': one.defaultValue,
    'conversion_action.value_settings.default_currency_code': one.currencyCode,
    'conversion_action.value_settings.always_use_default_value': one.alwaysUsesDefault,
  }));
}
