import { failedBatch } from '../kit/failed-batch.js';
import { sendBisecting, type BatchAnswer } from '../kit/bisect.js';
import type { AccessTokenProvider, ConnectorContext } from '../kit/contract.js';
import type { ConversionPolicy, PreparedEvent } from '../kit/conversion.js';
import type { ConversionTarget, RequestStatus } from '../kit/conversion-target.js';
import { sendRequest, type HttpAnswer, type HttpRequest } from '../kit/http.js';
import { prepareGoogleEvent } from './event.js';
import { readIngestAnswer, statusError } from './answer.js';
import { buildIngestRequest, type GoogleConversionAction } from './request.js';
import { readStatus } from './status.js';
import { traits } from './traits.js';

/** Sends conversions to Google Ads through the Data Manager API. It requires the scope `auth/datamanager`. */
export function googleConversionTarget(
  settings: { baseUrl: string },
  accessToken: AccessTokenProvider,
  action: GoogleConversionAction,
  policy: ConversionPolicy,
): ConversionTarget {
  const call = (context: ConnectorContext, request: HttpRequest) => sendAuthorized(settings, accessToken, context, request);
  const ingest = (context: ConnectorContext, events: PreparedEvent[], isValidateOnly: boolean) =>
    sendBisecting(events, async (part): Promise<BatchAnswer> => {
      try {
        const json = buildIngestRequest(action, part, isValidateOnly);
        const answer = await call(context, { method: 'POST', path: '/v1/events:ingest', json });
        const head = { status: answer.status, retryAfter: answer.headers.get('retry-after') };
        return readIngestAnswer(head, parseJson(await answer.text()), part.length, isValidateOnly);
      } catch (error) {
        return failedBatch(error);
      }
    });
  return {
    traits,
    prepare: (event, now) => prepareGoogleEvent(event, policy, action, now),
    buildRequest: (events) => buildIngestRequest(action, events),
    send: (context, events) => ingest(context, events, false),
    validate: (context, events) => ingest(context, events, true),
    status: async (context, requestId): Promise<RequestStatus> => {
      const query = new URLSearchParams({ requestId });
      const answer = await call(context, { method: 'GET', path: `/v1/requestStatus:retrieve?${query.toString()}` });
      const body = parseJson(await answer.text());
      if (answer.status !== 200) throw statusError(answer.status, answer.headers.get('retry-after'), body);
      return readStatus(body);
    },
  };
}

/** A token may be rejected before its expiry. The request is sent once more with another one. */
async function sendAuthorized(
  { baseUrl }: { baseUrl: string },
  accessToken: AccessTokenProvider,
  context: ConnectorContext,
  request: HttpRequest,
): Promise<HttpAnswer> {
  const send = (token: string) =>
    sendRequest({ baseUrl, serviceName: 'Google' }, context, { ...request, headers: { authorization: `Bearer ${token}` } });
  const token = await accessToken.accessToken(context.signal);
  const answer = await send(token);
  if (answer.status !== 401) return answer;
  await answer.text();
  return send(await accessToken.accessToken(context.signal, { refused: token }));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
