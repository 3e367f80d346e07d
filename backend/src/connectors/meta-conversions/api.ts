import { createHmac } from 'node:crypto';
import type { AccessTokenProvider, ConnectorContext } from '../kit/contract.js';
import { sendRequest, type HttpAnswer } from '../kit/http.js';
import { pause, pauseMs, readUsage, type Usage } from '../kit/meta-usage.js';
import { ANSWER_TIMEOUT_MS, type MetaConversionsSettings } from './settings.js';

export interface GraphAnswer {
  status: number;
  requestId: string | null;
  /** Undefined if the body is not JSON. */
  body: unknown;
  /** Seconds until calls are allowed again; null: not reported. */
  retryAfterSeconds: number | null;
}

/** Calls of the Graph API. The token is sent in a header, so that no address contains it. */
export class GraphApi {
  private readonly settings: MetaConversionsSettings;
  private readonly accessToken: AccessTokenProvider;
  /** Usage from the last answer. It sets the pause before the next call. */
  private usage: Usage | null = null;

  constructor(settings: MetaConversionsSettings, accessToken: AccessTokenProvider) {
    this.settings = settings;
    this.accessToken = accessToken;
  }

  sendEvents(context: ConnectorContext, datasetId: string, body: Record<string, unknown>): Promise<GraphAnswer> {
    const path = `/${this.settings.apiVersion}/${datasetId}/events`;
    return this.send(context, { method: 'POST', path, json: body });
  }

  /** One page of an ad account's datasets. */
  listDatasets(context: ConnectorContext, accountId: string, after: string | null): Promise<GraphAnswer> {
    const fields = 'id,name,is_unavailable';
    const query = new URLSearchParams({ fields, limit: '100', ...(after !== null && { after }) });
    const path = `/${this.settings.adsApiVersion}/act_${accountId}/adspixels?${query.toString()}`;
    return this.send(context, { method: 'GET', path });
  }

  private async send(
    context: ConnectorContext,
    request: { method: 'GET' | 'POST'; path: string; json?: unknown },
  ): Promise<GraphAnswer> {
    if (this.usage) await pause(context, pauseMs(this.usage));
    const { graphUrl, answerTimeoutMs = ANSWER_TIMEOUT_MS } = this.settings;
    const token = await this.accessToken.accessToken(context.signal);
    const http = { baseUrl: graphUrl, serviceName: 'Meta', requestIdHeader: 'x-fb-trace-id', answerTimeoutMs };
    const answer = await sendRequest(http, context, {
      ...request,
      // Meta accepts the proof only in the query.
      secretQuery: { appsecret_proof: this.proofOf(token) },
      headers: { authorization: `Bearer ${token}` },
    });
    this.usage = this.readUsage(context, answer);
    const body = parseJson(await answer.text());
    return { status: answer.status, requestId: answer.requestId, body, retryAfterSeconds: this.usage?.regainSeconds ?? null };
  }

  private proofOf(token: string): string {
    return createHmac('sha256', this.settings.appSecret).update(token).digest('hex');
  }

  private readUsage(context: ConnectorContext, { headers }: HttpAnswer): Usage | null {
    const usage = readUsage(headers);
    if (!usage) return null;
    const { usedPercent, regainSeconds } = usage;
    const resetAt = regainSeconds === null ? null : new Date(this.settings.now().getTime() + regainSeconds * 1_000);
    context.onQuota?.({ usedPercent, resetAt });
    return usage;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
