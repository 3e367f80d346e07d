import type { Account } from './accounts.ts';

export interface Goal {
  id: string;
  name: string;
  /** Name in reports. */
  type: 'Url' | 'Event' | 'OfflineConversion';
  status: 'Active' | 'Paused' | 'Deleted';
  windowMinutes: number;
  isExcludedFromBidding: boolean;
  /** Of event goals: the action of the custom event. */
  action?: string;
}

/** Purchases count as conversions, sign-ups only among "all". The paused goal has the longest window and must not count. */
export function goalsOf(account: Account): Goal[] {
  const goal = (index: number, name: string, overrides: Partial<Goal>): Goal => ({
    id: `${account.id.slice(-6)}${index}`,
    name,
    type: 'Url',
    status: 'Active',
    windowMinutes: account.conversionWindowMinutes,
    isExcludedFromBidding: false,
    ...overrides,
  });
  return [
    goal(1, 'Purchase, "all"', {}),
    goal(2, 'Newsletter sign-up', { type: 'Event', windowMinutes: 10_080, isExcludedFromBidding: true, action: 'sign_up' }),
    goal(3, 'Purchase (old tag)', { status: 'Paused', windowMinutes: 129_600 }),
  ];
}

/** ConversionGoals/QueryByIds: `types` is one text of names, separated by commas or spaces. */
export function conversionGoals(account: Account, ids: string[], types: string[]): Record<string, unknown>[] {
  return goalsOf(account)
    .filter((goal) => types.includes(goal.type) && (ids.length === 0 || ids.includes(goal.id)))
    .map((goal) => ({
      ConversionWindowInMinutes: goal.windowMinutes,
      CountType: goal.isExcludedFromBidding ? 'Unique' : 'All',
      ExcludeFromBidding: goal.isExcludedFromBidding,
      GoalCategory: goal.isExcludedFromBidding ? 'SignUp' : 'Purchase',
      Id: goal.id,
      Name: goal.name,
      Revenue: { CurrencyCode: account.currencyCode, Type: 'VariableValue', Value: 0 },
      Scope: 'Account',
      Status: goal.status,
      TagId: account.id.slice(1),
      TrackingStatus: 'RecordingConversions',
      Type: goal.type,
      ViewThroughConversionWindowInMinutes: 1_440,
      ...(goal.type === 'Event' && { ActionExpression: goal.action, ActionOperator: 'Equals' }),
    }));
}
