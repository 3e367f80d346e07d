import type { AccessTokenProvider, ConnectorContext } from '../../kit/contract.js';
import type { ConversionPolicy } from '../../kit/conversion.js';
import type { ConversionOutcome, ConversionTarget, SendResult } from '../../kit/conversion-target.js';
import { RetryLater, type ConnectorError } from '../../kit/errors.js';
import { failedBatch, recognizable } from '../../kit/failed-batch.js';
import { prepareGoogleEvent } from '../event.js';
import { keyOf, type GoogleConversionAction } from '../request.js';
import { parseJson, sendAuthorized } from '../request-sender.js';
import type { GoogleConversionsSettings } from '../settings.js';
import { prepareUploadAdjustment, rejectRestored } from './adjustment.js';
import { readUploadAnswer } from './answer.js';
import { buildUploadRequest, checkUploadable } from './click-conversion.js';
import { uploadError } from './errors.js';
import { uploadTraits } from './traits.js';

/**
 * Sends conversions with the click uploads of the Google Ads API, which Google keeps open only for developers who used them before
 * 2026-06-15. It needs the scope `auth/adwords`, which reports need as well.
 */
export function clickUploadTarget(
  settings: Pick<GoogleConversionsSettings, 'adsUrl' | 'adsApiVersion'>,
  tokens: AccessTokenProvider,
  action: GoogleConversionAction,
  policy: ConversionPolicy,
): ConversionTarget {
  const accessToken = recognizable(tokens);
  const upload = async (context: ConnectorContext, method: string, json: object, count: number): Promise<SendResult> => {
    if (count === 0) return { outcomes: [], stoppedBy: null };
    try {
      const answer = await sendAuthorized(settings.adsUrl, accessToken, context, {
        method: 'POST',
        path: `/${settings.adsApiVersion}/customers/${action.accountId}:${method}`,
        headers: action.loginAccountId === null ? {} : { 'login-customer-id': action.loginAccountId },
        json,
      });
      const body = parseJson(await answer.text());
      if (answer.status === 200) return readUploadAnswer(body, answer.headers.get('request-id'), count);
      const error = uploadError({ status: answer.status, retryAfter: answer.headers.get('retry-after') }, body);
      return stopped(error, outcomeOf(error), count);
    } catch (error) {
      const failed = failedBatch(error);
      if (failed.state !== 'stopped') throw error;
      return stopped(failed.error, failed.outcome, count);
    }
  };
  return {
    key: keyOf(action),
    traits: uploadTraits,
    prepare: (event, now) => checkUploadable(prepareGoogleEvent(event, policy, action, now)),
    buildRequest: (events) => buildUploadRequest(action, events),
    prepareAdjustment: (adjustment, now) => prepareUploadAdjustment(action, adjustment, now),
    send: (context, events) => upload(context, 'uploadClickConversions', buildUploadRequest(action, events), events.length),
    validate: (context, events) =>
      upload(context, 'uploadClickConversions', buildUploadRequest(action, events, true), events.length),
    sendAdjustments: async (context, adjustments) => {
      const json = { conversionAdjustments: adjustments.map(({ payload }) => payload), partialFailure: true };
      const result = await upload(context, 'uploadConversionAdjustments', json, adjustments.length);
      const outcomes = adjustments.flatMap(({ payload }, index) => {
        const outcome = result.outcomes[index];
        return outcome ? [rejectRestored(payload, outcome)] : [];
      });
      return { ...result, outcomes };
    },
  };
}

const stopped = (stoppedBy: ConnectorError, outcome: ConversionOutcome, count: number): SendResult => ({
  outcomes: Array.from({ length: count }, () => outcome),
  stoppedBy,
});

/** After a server error Google may have stored the rows. A throttled or rejected request stored none. */
const outcomeOf = (error: ConnectorError): ConversionOutcome =>
  error instanceof RetryLater && error.failureClass !== 'quota'
    ? { state: 'unknown', code: error.code, message: error.message }
    : { state: 'not_sent' };
