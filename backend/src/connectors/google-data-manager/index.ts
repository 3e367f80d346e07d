import type { ConversionTargetConnector } from '../kit/conversion-target.js';
import { listConversionActions } from './choices.js';
import { actionSettingsSchema, type GoogleConversionsSettings } from './settings.js';
import { googleConversionTarget } from './target.js';
import { traits } from './traits.js';

export function googleConversionsConnector(settings: GoogleConversionsSettings): ConversionTargetConnector {
  return {
    provider: 'google_ads',
    name: 'Google Ads',
    requiredScopes: ['https://www.googleapis.com/auth/datamanager'],
    settingsSchema: actionSettingsSchema,
    traits: () => traits,
    listChoices: (context, accessToken, account) => listConversionActions(settings, accessToken, context, account),
    open: (action, accessToken, policy) =>
      googleConversionTarget({ baseUrl: settings.dataManagerUrl }, accessToken, actionSettingsSchema.parse(action), policy),
  };
}
