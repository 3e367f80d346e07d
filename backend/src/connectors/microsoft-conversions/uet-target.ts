import { sendBisecting, type BatchAnswer } from '../kit/bisect.js';
import type { AccessTokenProvider, ConnectorContext } from '../kit/contract.js';
import type { ConversionPolicy, PreparedEvent } from '../kit/conversion.js';
import type { ConversionTarget } from '../kit/conversion-target.js';
import { beforeSending, failedBatch, recognizable } from '../kit/failed-batch.js';
import { sendRequest, type HttpAnswer } from '../kit/http.js';
import { prepareOnlineAdjustment } from './adjustments.js';
import { CampaignApi, parseJson } from './campaign-api.js';
import { applyRows, onlineAdjustments } from './rows.js';
import type { MicrosoftConversionsSettings, UetGoalSettings } from './settings.js';
import { readTagKey } from './tag-key.js';
import { uetTraits } from './traits.js';
import { readUetAnswer } from './uet-answer.js';
import { buildUetRequest, prepareUetEvent } from './uet-event.js';

/** Sends conversions as custom events of a UET tag. */
export function uetConversionTarget(
  settings: MicrosoftConversionsSettings,
  tokens: AccessTokenProvider,
  goal: UetGoalSettings,
  policy: ConversionPolicy,
): ConversionTarget {
  const sender = new UetSender(settings, tokens, goal);
  return {
    // Without the name of the goal: events of the tag stay the same after the goal was renamed.
    key: `microsoft_uet/${goal.tagId}/${goal.eventName}`,
    traits: uetTraits,
    prepare: (event, now) => prepareUetEvent(event, policy, now),
    buildRequest: (events) => buildUetRequest(goal.eventName, events),
    prepareAdjustment: (adjustment, now) => prepareOnlineAdjustment(adjustment, goal.goalName, now),
    send: (context, events) => sendBisecting(context, events, (part) => sender.send(context, part)),
    sendAdjustments: (context, adjustments) => applyRows(settings, tokens, context, goal, onlineAdjustments, adjustments),
  };
}

/** Sends requests with the key of the tag, which is read once and again after it was renewed. */
class UetSender {
  private readonly settings: MicrosoftConversionsSettings;
  private readonly api: CampaignApi;
  private readonly goal: UetGoalSettings;
  private key: string | null = null;

  constructor(settings: MicrosoftConversionsSettings, tokens: AccessTokenProvider, goal: UetGoalSettings) {
    this.settings = settings;
    this.api = new CampaignApi(settings, recognizable(tokens));
    this.goal = goal;
  }

  async send(context: ConnectorContext, events: PreparedEvent[]): Promise<BatchAnswer> {
    try {
      const answer = await this.post(context, events);
      return readUetAnswer(answer.status, answer.headers.get('retry-after'), parseJson(await answer.text()), events.length);
    } catch (error) {
      return failedBatch(error);
    }
  }

  /** Nothing of a request with a rejected key is processed, so it is sent again with the present key. */
  private async post(context: ConnectorContext, events: PreparedEvent[]): Promise<HttpAnswer> {
    const isKnown = this.key !== null;
    const answer = await this.postOnce(context, events);
    if (answer.status !== 401 || !isKnown) return answer;
    await answer.text();
    this.key = null;
    return this.postOnce(context, events);
  }

  private async postOnce(context: ConnectorContext, events: PreparedEvent[]): Promise<HttpAnswer> {
    this.key ??= await beforeSending(readTagKey(this.api, context, this.goal));
    return sendRequest({ baseUrl: this.settings.uetUrl, serviceName: 'Microsoft Advertising' }, context, {
      method: 'POST',
      path: `/v1/${this.goal.tagId}/events`,
      headers: { authorization: `Bearer ${this.key}` },
      json: buildUetRequest(this.goal.eventName, events),
    });
  }
}
