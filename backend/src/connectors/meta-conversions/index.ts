import type { ConversionTargetConnector } from '../kit/conversion-target.js';
import { defineConversionTarget } from '../kit/declaration.js';
import { graphVersion, metaApp, metaAppNames } from '../kit/platforms/meta.js';
import { GraphApi } from './api.js';
import { listDatasets } from './datasets.js';
import { datasetSettingsSchema, type MetaConversionsSettings } from './settings.js';
import { metaConversionTarget } from './target.js';
import { traits } from './traits.js';

export const metaConversions = defineConversionTarget({
  provider: 'meta_ads',
  environment: {
    ...metaApp,
    /** Version of the Conversions API, which follows the Graph API: Meta supports each for about two years. */
    META_CONVERSIONS_API_VERSION: graphVersion,
  },
  requires: metaAppNames,
  create: (environment, { now }) =>
    metaConversionsConnector({
      graphUrl: environment.META_GRAPH_URL,
      appSecret: environment.META_APP_SECRET,
      apiVersion: environment.META_CONVERSIONS_API_VERSION,
      adsApiVersion: environment.META_API_VERSION,
      now,
    }),
});

export function metaConversionsConnector(settings: MetaConversionsSettings): ConversionTargetConnector {
  return {
    provider: 'meta_ads',
    name: 'Meta Ads',
    requiredScopes: ['ads_management'],
    settingsSchema: datasetSettingsSchema,
    traits: () => traits,
    listChoices: (context, accessToken, account) => listDatasets(new GraphApi(settings, accessToken), context, account),
    open: (chosen, accessToken, policy, testCode) =>
      metaConversionTarget(settings, accessToken, { ...datasetSettingsSchema.parse(chosen), testEventCode: testCode }, policy),
  };
}
