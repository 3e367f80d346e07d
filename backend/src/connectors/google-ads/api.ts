import type { AccessTokenProvider, ConnectorContext } from '../kit/contract.js';
import { CorruptAnswer, ReconnectNeeded } from '../kit/errors.js';
import { sendRequest, type HttpAnswer, type HttpRequest } from '../kit/http.js';
import { type ItemSink, JsonArrayReader } from '../kit/json/json-array-stream.js';
import { toConnectorError } from './errors.js';
import { bareFailure, readFailure } from './failure-body.js';
import type { GoogleAdsSettings } from './settings.js';

export interface Search {
  customerId: string;
  /** The manager that gives access to the customer; null for direct access. */
  loginCustomerId: string | null;
  query: string;
  /** Requests Google's own totals of all rows, in a separate last chunk. */
  hasSummaryRow?: boolean;
}

/** The two calls of the Google Ads REST API that reading needs. */
export class GoogleAdsApi {
  private readonly settings: GoogleAdsSettings;
  private readonly token: AccessTokenProvider;

  constructor(settings: GoogleAdsSettings, token: AccessTokenProvider) {
    this.settings = settings;
    this.token = token;
  }

  /**
   * Yields, for each part of the answer, the chunks that end in it, often none: parsed but not yet validated. A chunk has up to
   * 10,000 rows. With a sink, rows go to the sink one by one and are removed from the chunk.
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

  /** Only customers that the user can access directly. Accounts below managers come from their trees. */
  async listAccessibleCustomers(context: ConnectorContext): Promise<unknown> {
    const path = `/${this.settings.apiVersion}/customers:listAccessibleCustomers`;
    const answer = await this.send(context, { method: 'GET', path });
    return parseJson(await answer.text(), answer.requestId);
  }

  /** A valid token may expire between two requests. The request is retried once with a fresh token. */
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
    const failure = readFailure(answer.status, body, answer.headers) ?? bareFailure(answer.status, answer.headers);
    throw toConnectorError(failure, request.path.includes('/customers/'));
  }
}

/** Google's own clients wait 15 to 60 minutes, since large accounts answer after minutes (tap-google-ads: 900 s). */
export const ANSWER_TIMEOUT_MS = 15 * 60_000;

/** Errors that another access token of the same user would get too. */
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
    const action = 'No action needed: Tributary retries automatically';
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
