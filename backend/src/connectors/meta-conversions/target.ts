import { sendBisecting } from '../kit/bisect.js';
import type { AccessTokenProvider } from '../kit/contract.js';
import type { ConversionPolicy } from '../kit/conversion.js';
import type { ConversionTarget } from '../kit/conversion-target.js';
import { failedBatch, recognizable } from '../kit/failed-batch.js';
import { readEventsAnswer } from './answer.js';
import { GraphApi } from './api.js';
import { prepareMetaEvent } from './event.js';
import { buildEventsRequest, type MetaDataset } from './request.js';
import type { MetaConversionsSettings } from './settings.js';
import { traits } from './traits.js';

/** Sends conversions to a dataset of Meta. It requires the permission `ads_management`. */
export function metaConversionTarget(
  settings: MetaConversionsSettings,
  accessToken: AccessTokenProvider,
  dataset: MetaDataset,
  policy: ConversionPolicy,
): ConversionTarget {
  const api = new GraphApi(settings, recognizable(accessToken));
  return {
    key: `meta/${dataset.datasetId}`,
    traits,
    prepare: (event, now) => prepareMetaEvent(event, policy, dataset, now),
    buildRequest: (events) => buildEventsRequest(dataset, events),
    // Only rejected requests are repeated, in parts. What Meta accepted is never sent again.
    send: (context, events) =>
      sendBisecting(context, events, async (part) => {
        try {
          const answer = await api.sendEvents(context, dataset.datasetId, buildEventsRequest(dataset, part));
          return readEventsAnswer(answer, part.length);
        } catch (error) {
          return failedBatch(error);
        }
      }),
  };
}
