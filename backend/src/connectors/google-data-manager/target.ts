import { failedBatch, recognizable } from '../kit/failed-batch.js';
import { sendBisecting, type BatchAnswer } from '../kit/bisect.js';
import type { AccessTokenProvider, ConnectorContext } from '../kit/contract.js';
import type { ConversionPolicy, PreparedEvent } from '../kit/conversion.js';
import type { ConversionTarget, RequestStatus } from '../kit/conversion-target.js';
import { prepareGoogleAdjustment } from './adjustment.js';
import { readIngestAnswer, statusError } from './answer.js';
import { prepareGoogleEvent } from './event.js';
import { buildIngestRequest, keyOf, type GoogleConversionAction } from './request.js';
import { parseJson, sendAuthorized } from './request-sender.js';
import { readStatus } from './status.js';
import { traits } from './traits.js';

/** Sends conversions to Google Ads through the Data Manager API. It requires the scope `auth/datamanager`. */
export function googleConversionTarget(
  { baseUrl }: { baseUrl: string },
  tokens: AccessTokenProvider,
  action: GoogleConversionAction,
  policy: ConversionPolicy,
): ConversionTarget {
  const accessToken = recognizable(tokens);
  const ingest = (context: ConnectorContext, events: PreparedEvent[], isValidateOnly: boolean) =>
    sendBisecting(context, events, async (part): Promise<BatchAnswer> => {
      try {
        const json = buildIngestRequest(action, part, isValidateOnly);
        const answer = await sendAuthorized(baseUrl, accessToken, context, { method: 'POST', path: '/v1/events:ingest', json });
        const head = { status: answer.status, retryAfter: answer.headers.get('retry-after') };
        return readIngestAnswer(head, parseJson(await answer.text()), part.length, isValidateOnly);
      } catch (error) {
        return failedBatch(error);
      }
    });
  return {
    key: keyOf(action),
    traits,
    prepare: (event, now) => prepareGoogleEvent(event, policy, action, now),
    buildRequest: (events) => buildIngestRequest(action, events),
    prepareAdjustment: prepareGoogleAdjustment,
    sendAdjustments: (context, adjustments) => ingest(context, adjustments, false),
    send: (context, events) => ingest(context, events, false),
    validate: (context, events) => ingest(context, events, true),
    status: async (context, requestId): Promise<RequestStatus> => {
      const path = `/v1/requestStatus:retrieve?${new URLSearchParams({ requestId }).toString()}`;
      const answer = await sendAuthorized(baseUrl, accessToken, context, { method: 'GET', path });
      const body = parseJson(await answer.text());
      if (answer.status !== 200) throw statusError(answer.status, answer.headers.get('retry-after'), body);
      return readStatus(body);
    },
  };
}
