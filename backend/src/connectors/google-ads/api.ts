import type { AccessTokenProvider, ConnectorContext } from '../kit/contract.js';
import { CorruptAnswer, ReconnectNeeded } from '../kit/errors.js';
import { sendRequest, type HttpAnswer, type HttpRequest } from '../kit/http.js';
import { type ItemSink, JsonArrayReader } from '../kit/json-array-stream.js';
import { toConnectorError } from './errors.js';
import { bareFailure, readFailure } from './failure-body.js';
import type { GoogleAdsSettings } from './settings.js';

export interface Search {
  customerId: string;
  /** The manager through which the user reaches the customer; null for direct access. */
  loginCustomerId: string | null;
  query: string;
  /** Asks Google to add its own totals of all rows, in a last chunk of their own. */
  hasSummaryRow?: boolean;
}

/** The two calls of the Google Ads REST interface that reading needs. */
export class GoogleAdsApi {
  private readonly settings: GoogleAdsSettings;
  private readonly token: AccessTokenProvider;

  constructor(settings: GoogleAdsSettings, token: AccessTokenProvider) {
    this.settings = settings;
    this.token = token;
  }

  /**
   * For each part of the answer the chunks that end in it, often none, parsed but not yet checked. A chunk has up to 10,000
   * rows; with a sink these go there, one by one, and the chunk comes without them.
   */
  async *searchStream(context: ConnectorContext, search: Search, sink: ItemSink | null = null): AsyncGenerator<unknown[]> {
    const answer = await this.send(context, {
      method: 'POST',
      path: `/${this.settings.apiVersion}/customers/${search.customerId}/googleAds:searchStream`,
      headers: search.loginCustomerId === null ? {} : { 'login-customer-id': search.loginCustomerId },
      json: { query: search.query, ...(search.hasSummaryRow ? { summaryRowSetting: 'SUMMARY_ROW_WITH_RESULTS' } : {}) },
    });
    const reader = new JsonArrayReader(sink);
    for await (const part of answer.body) {
      yield reader.push(part).map((text) => {
        const chunk = parseJson(text, answer.requestId);
        const failure = readFailure(answer.status, chunk, answer.headers);
        if (failure) throw toConnectorError(failure);
        return chunk;
      });
    }
    reader.end();
  }

  /** Only what the user reaches without a manager; the accounts below managers come from their trees. */
  async listAccessibleCustomers(context: ConnectorContext): Promise<unknown> {
    const path = `/${this.settings.apiVersion}/customers:listAccessibleCustomers`;
    const answer = await this.send(context, { method: 'GET', path });
    return parseJson(await answer.text(), answer.requestId);
  }

  /** A token may die between two requests although it was valid when asked for: one fresh one is tried. */
  private async send(context: ConnectorContext, request: HttpRequest): Promise<HttpAnswer> {
    const token = await this.token.accessToken(context.signal);
    try {
      return await this.sendOnce(context, request, token);
    } catch (error) {
      if (!(error instanceof ReconnectNeeded) || isAboutTheUser.has(error.code)) throw error;
    }
    return this.sendOnce(context, request, await this.token.accessToken(context.signal, { refused: token }));
  }

  private async sendOnce(context: ConnectorContext, request: HttpRequest, token: string): Promise<HttpAnswer> {
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    const { baseUrl, answerTimeoutMs = ANSWER_TIMEOUT_MS } = this.settings;
    const http = { baseUrl, serviceName: 'Google Ads', answerTimeoutMs, idleTimeoutMs: answerTimeoutMs };
    const answer = await sendRequest(http, context, { ...request, headers });
    if (answer.status === 200) return answer;
    const body = parseOrNull(await answer.text());
    throw toConnectorError(readFailure(answer.status, body, answer.headers) ?? bareFailure(answer.status, answer.headers));
  }
}

/** Google's own clients wait 15 to 60 minutes: large accounts answer after minutes (tap-google-ads: 900 s). */
export const ANSWER_TIMEOUT_MS = 15 * 60_000;

/** Refusals that another access token of the same user would meet too. */
const isAboutTheUser = new Set([
  'google_ads.not_ads_user',
  'google_ads.google_account_deleted',
  'google_ads.two_step_verification_not_enrolled',
  'google_ads.advanced_protection_not_enrolled',
  'google_ads.oauth_token_disabled',
  'google_ads.access_token_scope_insufficient',
]);

export function parseJson(text: string, requestId: string | null = null): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = 'Google Ads sent an answer that is not valid JSON. Nothing of it was loaded.';
    const action = 'Nothing to do: it is tried again by itself';
    throw new CorruptAnswer({ code: 'google_ads.malformed_json', message, action, providerRequestId: requestId }, { cause });
  }
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
