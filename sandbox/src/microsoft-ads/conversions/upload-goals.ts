import type { Account } from '../accounts.ts';

/** A goal for conversions that are uploaded. */
export interface UploadGoal {
  id: string;
  name: string;
  status: 'Active' | 'Paused';
  windowMinutes: number;
  /** Unique: only the first conversion after a click counts. */
  countType: 'All' | 'Unique';
  /** The value of conversions that are sent without one. With NoValue, sent values are ignored. */
  revenue: { type: 'FixedValue' | 'VariableValue'; value: number } | { type: 'NoValue' };
  /** Whether conversions without a click id are accepted, with an email address or phone number. */
  isEnhanced: boolean;
  isAdjustable: boolean;
  /** Milliseconds in the sandbox's time. */
  createdAt: number;
}

export const newGoalMs = 2 * 3_600_000;

export function uploadGoal(account: Account, index: number, name: string, overrides: Partial<UploadGoal> = {}): UploadGoal {
  return {
    id: `${account.id.slice(-6)}${index}`,
    name,
    status: 'Active',
    windowMinutes: account.conversionWindowMinutes,
    countType: 'All',
    revenue: { type: 'VariableValue', value: 25 },
    isEnhanced: false,
    isAdjustable: true,
    createdAt: 0,
    ...overrides,
  };
}

export function seededGoals(account: Account): UploadGoal[] {
  return [
    uploadGoal(account, 4, 'Closed deal', { isEnhanced: true }),
    uploadGoal(account, 5, 'Qualified lead', { countType: 'Unique', revenue: { type: 'FixedValue', value: 10 } }),
    uploadGoal(account, 6, 'Closed deal (old)', { status: 'Paused' }),
    uploadGoal(account, 7, 'Renewal', { revenue: { type: 'NoValue' }, isAdjustable: false }),
  ];
}

/** Fields of ConversionGoalAdditionalField are null unless they are requested. */
export function goalJson(account: Account, goal: UploadGoal, additionalFields: string[]): Record<string, unknown> {
  const { revenue } = goal;
  return {
    AttributionModelType: null,
    ConversionWindowInMinutes: goal.windowMinutes,
    CountType: goal.countType,
    ExcludeFromBidding: false,
    GoalCategory: 'Purchase',
    Id: goal.id,
    IsEnhancedConversionsEnabled: additionalFields.includes('IsEnhancedConversionsEnabled') ? goal.isEnhanced : null,
    Name: goal.name,
    Revenue: {
      CurrencyCode: revenue.type === 'NoValue' ? null : account.currencyCode,
      Type: revenue.type,
      Value: revenue.type === 'NoValue' ? null : revenue.value,
    },
    Scope: 'Account',
    Status: goal.status,
    TagId: null,
    TrackingStatus: null,
    Type: 'OfflineConversion',
    ViewThroughConversionWindowInMinutes: null,
  };
}
