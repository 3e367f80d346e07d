import type { ConversionTargetConnector } from '../kit/conversion-target.js';
import { GraphApi } from './api.js';
import { listDatasets } from './datasets.js';
import { datasetSettingsSchema, type MetaConversionsSettings } from './settings.js';
import { metaConversionTarget } from './target.js';
import { traits } from './traits.js';

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
