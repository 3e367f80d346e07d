import { z } from 'zod';
import type { AccessTokenProvider, AdAccount, ConnectorContext } from '../kit/contract.js';
import type { ConversionTargetChoice } from '../kit/conversion-target.js';
import { CampaignApi, type AccountOfCall } from './campaign-api.js';
import { toConnectorError, unexpectedAnswer } from './errors.js';
import type { GoalSettings, MicrosoftConversionsSettings } from './settings.js';

const id = z.union([z.string().regex(/^\d+$/), z.number().int().transform(String)]);

/** conversiongoal.md, eventgoal.md, offlineconversiongoal.md. */
const goalsSchema = z.object({
  ConversionGoals: z
    .array(
      z
        .object({
          Name: z.string().min(1).max(100),
          Type: z.string(),
          Status: z.string().nullish(),
          TagId: id.nullish(),
          ConversionWindowInMinutes: z.number().nullish(),
          IsEnhancedConversionsEnabled: z.boolean().nullish(),
          ActionExpression: z.string().nullish(),
        })
        .nullable(),
    )
    .nullish(),
});
type Goal = NonNullable<NonNullable<z.infer<typeof goalsSchema>['ConversionGoals']>[number]>;

/** Goals of UET tags count page views, unless they count custom events. */
const types = ['OfflineConversion', 'Event', 'Url'];

export async function listGoals(
  settings: MicrosoftConversionsSettings,
  tokens: AccessTokenProvider,
  context: ConnectorContext,
  account: AdAccount,
): Promise<ConversionTargetChoice[]> {
  const ids = { accountId: account.externalId, customerId: account.managerId ?? '' };
  const answer = await new CampaignApi(settings, tokens).call(context, ids, 'ConversionGoals/QueryByIds', {
    ConversionGoalIds: null,
    ConversionGoalTypes: types.join(', '),
    // Only returned on request (ConversionGoalAdditionalField).
    ReturnAdditionalFields: 'IsEnhancedConversionsEnabled',
  });
  if (answer.failure) throw toConnectorError(answer.failure);
  const parsed = goalsSchema.safeParse(answer.body);
  if (!parsed.success) throw unexpectedAnswer('conversion goals');
  return (parsed.data.ConversionGoals ?? []).flatMap((goal) => (goal && goal.Status !== 'Deleted' ? [toChoice(goal, ids)] : []));
}

function toChoice(goal: Goal, ids: AccountOfCall): ConversionTargetChoice {
  return {
    settings: settingsOf(goal, ids),
    name: goal.Name,
    kind: goal.Type === 'OfflineConversion' ? 'offline goal' : 'UET goal',
    problem: problemOf(goal),
  };
}

const DEFAULT_WINDOW_MINUTES = 43_200;
const MINUTES_PER_DAY = 1_440;

function settingsOf(goal: Goal, ids: AccountOfCall): GoalSettings {
  const goalName = goal.Name;
  if (goal.Type === 'OfflineConversion') {
    const windowDays = Math.ceil((goal.ConversionWindowInMinutes ?? DEFAULT_WINDOW_MINUTES) / MINUTES_PER_DAY);
    const hasEnhancedConversions = goal.IsEnhancedConversionsEnabled ?? false;
    return { kind: 'offline_goal', ...ids, goalName, windowDays, hasEnhancedConversions };
  }
  return { kind: 'uet_goal', ...ids, tagId: goal.TagId ?? '', goalName, eventName: goal.ActionExpression || goalName };
}

function problemOf({ Type, Status, TagId, ActionExpression }: Goal): string | null {
  if (Status !== 'Active') return 'The goal is paused, so Microsoft Advertising counts no events for it.';
  if (Type === 'OfflineConversion') return null;
  if (Type !== 'Event') return 'The goal counts page views. Choose a goal for custom events, or an offline goal.';
  if (!TagId) return 'The goal has no UET tag.';
  return ActionExpression ? null : 'The goal has no action. Set the action of its custom event in Microsoft Advertising.';
}
