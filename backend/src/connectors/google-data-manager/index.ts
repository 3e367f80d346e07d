import type { ConversionTargetConnector } from '../kit/conversion-target.js';
import { defineConversionTarget } from '../kit/declaration.js';
import { httpUrl } from '../kit/environment.js';
import { googleAdsApi, googleClient, googleClientNames } from '../kit/platforms/google.js';
import { listConversionActions } from './choices.js';
import { actionSettingsSchema, type GoogleConversionsSettings } from './settings.js';
import { googleConversionTarget } from './target.js';
import { traits } from './traits.js';
import { clickUploadTarget } from './upload/target.js';
import { uploadTraits } from './upload/traits.js';

export const googleConversions = defineConversionTarget({
  provider: 'google_ads',
  environment: {
    ...googleClient,
    ...googleAdsApi,
    /** Receives conversions. The Data Manager API must be enabled in the project of the OAuth client. */
    GOOGLE_DATA_MANAGER_BASE_URL: httpUrl.default('https://datamanager.googleapis.com'),
  },
  requires: googleClientNames,
  create: (environment) =>
    googleConversionsConnector({
      dataManagerUrl: environment.GOOGLE_DATA_MANAGER_BASE_URL,
      adsUrl: environment.GOOGLE_ADS_BASE_URL,
      adsApiVersion: environment.GOOGLE_ADS_API_VERSION,
    }),
});

const isUpload = ({ api }: Record<string, unknown>): boolean => api === 'google_ads_upload';

export function googleConversionsConnector(settings: GoogleConversionsSettings): ConversionTargetConnector {
  return {
    provider: 'google_ads',
    name: 'Google Ads',
    requiredScopes: ['https://www.googleapis.com/auth/datamanager'],
    settingsSchema: actionSettingsSchema,
    traits: (action) => (isUpload(action) ? uploadTraits : traits),
    listChoices: (context, accessToken, account) => listConversionActions(settings, accessToken, context, account),
    open: (action, accessToken, policy) => {
      const parsed = actionSettingsSchema.parse(action);
      if (isUpload(action)) return clickUploadTarget(settings, accessToken, parsed, policy);
      return googleConversionTarget({ baseUrl: settings.dataManagerUrl }, accessToken, parsed, policy);
    },
  };
}
