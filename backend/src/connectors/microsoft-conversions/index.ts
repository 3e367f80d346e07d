import type { ConversionTargetConnector } from '../kit/conversion-target.js';
import { listGoals } from './choices.js';
import { offlineConversionTarget } from './offline-target.js';
import { goalSettingsSchema, type MicrosoftConversionsSettings } from './settings.js';
import { offlineTraits, uetTraits } from './traits.js';
import { uetConversionTarget } from './uet-target.js';

export function microsoftConversionsConnector(settings: MicrosoftConversionsSettings): ConversionTargetConnector {
  return {
    provider: 'microsoft_ads',
    name: 'Microsoft Ads',
    requiredScopes: ['https://ads.microsoft.com/msads.manage'],
    settingsSchema: goalSettingsSchema,
    traits: (chosen) => (goalSettingsSchema.parse(chosen).kind === 'offline_goal' ? offlineTraits : uetTraits),
    listChoices: (context, accessToken, account) => listGoals(settings, accessToken, context, account),
    open: (chosen, accessToken, policy) => {
      const goal = goalSettingsSchema.parse(chosen);
      if (goal.kind === 'offline_goal') return offlineConversionTarget(settings, accessToken, goal, policy);
      return uetConversionTarget(settings, accessToken, goal, policy);
    },
  };
}
