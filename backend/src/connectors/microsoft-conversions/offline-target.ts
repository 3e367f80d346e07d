import type { AccessTokenProvider } from '../kit/contract.js';
import type { ConversionPolicy } from '../kit/conversion.js';
import type { ConversionTarget } from '../kit/conversion-target.js';
import { prepareOfflineAdjustment } from './adjustments.js';
import { buildOfflineRequest, forGoal, prepareOfflineEvent } from './offline-event.js';
import { applyRows, offlineAdjustments, offlineConversions } from './rows.js';
import type { MicrosoftConversionsSettings, OfflineGoalSettings } from './settings.js';
import { offlineTraitsOf } from './traits.js';

/** Sends conversions to an offline conversion goal. */
export function offlineConversionTarget(
  settings: MicrosoftConversionsSettings,
  tokens: AccessTokenProvider,
  goal: OfflineGoalSettings,
  policy: ConversionPolicy,
): ConversionTarget {
  return {
    key: `microsoft_offline/${goal.accountId}/${goal.goalName}`,
    traits: offlineTraitsOf(goal),
    prepare: (event, now) => prepareOfflineEvent(event, policy, goal, now),
    buildRequest: (events) => buildOfflineRequest(goal.goalName, events),
    prepareAdjustment: (adjustment, now) => prepareOfflineAdjustment(adjustment, goal.goalName, now),
    send: (context, events) => applyRows(settings, tokens, context, goal, offlineConversions, forGoal(goal.goalName, events)),
    sendAdjustments: (context, adjustments) => applyRows(settings, tokens, context, goal, offlineAdjustments, adjustments),
  };
}
