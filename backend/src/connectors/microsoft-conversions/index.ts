import type { ConversionTargetConnector } from '../kit/conversion-target.js';
import { defineConversionTarget } from '../kit/declaration.js';
import { httpUrl } from '../kit/environment.js';
import { microsoftClient, microsoftClientNames } from '../kit/platforms/microsoft.js';
import { listGoals } from './choices.js';
import { offlineConversionTarget } from './offline-target.js';
import { goalSettingsSchema, type MicrosoftConversionsSettings } from './settings.js';
import { offlineTraitsOf, uetTraits } from './traits.js';
import { uetConversionTarget } from './uet-target.js';

export const microsoftConversions = defineConversionTarget({
  provider: 'microsoft_ads',
  environment: {
    ...microsoftClient,
    /** Receives conversions of UET tags. */
    MICROSOFT_UET_URL: httpUrl.default('https://capi.uet.microsoft.com'),
  },
  requires: microsoftClientNames,
  create: (environment) =>
    microsoftConversionsConnector({
      campaignManagementUrl: environment.MICROSOFT_CAMPAIGN_URL,
      developerToken: environment.MICROSOFT_DEVELOPER_TOKEN,
      uetUrl: environment.MICROSOFT_UET_URL,
    }),
});

export function microsoftConversionsConnector(settings: MicrosoftConversionsSettings): ConversionTargetConnector {
  return {
    provider: 'microsoft_ads',
    name: 'Microsoft Ads',
    requiredScopes: ['https://ads.microsoft.com/msads.manage'],
    settingsSchema: goalSettingsSchema,
    traits: (goal) => (goal['kind'] === 'uet_goal' ? uetTraits : offlineTraitsOf(goal)),
    listChoices: (context, accessToken, account) => listGoals(settings, accessToken, context, account),
    open: (chosen, accessToken, policy) => {
      const goal = goalSettingsSchema.parse(chosen);
      if (goal.kind === 'offline_goal') return offlineConversionTarget(settings, accessToken, goal, policy);
      return uetConversionTarget(settings, accessToken, goal, policy);
    },
  };
}
