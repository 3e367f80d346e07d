import type { AccessTokenProvider } from '../kit/contract.js';
import type { ConversionPolicy } from '../kit/conversion.js';
import type { ConversionTarget } from '../kit/conversion-target.js';
import { prepareOfflineAdjustment } from './adjustments.js';
import { buildOfflineRequest, prepareOfflineEvent } from './offline-event.js';
import { applyRows, offlineAdjustments, offlineConversions } from './rows.js';
import type { MicrosoftConversionsSettings, OfflineGoalSettings } from './settings.js';
import { offlineTraits } from './traits.js';

/** Sends conversions to an offline conversion goal. */
export function offlineConversionTarget(
  settings: MicrosoftConversionsSettings,
  tokens: AccessTokenProvider,
  goal: OfflineGoalSettings,
  policy: ConversionPolicy,
): ConversionTarget {
  const { goalName: name, windowDays, hasEnhancedConversions } = goal;
  return {
    traits: offlineTraits,
    prepare: (event, now) => prepareOfflineEvent(event, policy, { name, windowDays, hasEnhancedConversions }, now),
    buildRequest: buildOfflineRequest,
    prepareAdjustment: prepareOfflineAdjustment,
    send: (context, events) => applyRows(settings, tokens, context, goal, offlineConversions, events),
    sendAdjustments: (context, adjustments) => applyRows(settings, tokens, context, goal, offlineAdjustments, adjustments),
  };
}
