import { createHmac } from 'node:crypto';
import type { AccessTokenProvider, ConnectorContext } from '../kit/contract.js';
import { sendRequest, type HttpAnswer } from '../kit/http.js';
import { corrupt, readFailure, toConnectorError } from './errors.js';
import type { MetaAdsSettings } from './settings.js';
import { pause, pauseMs, readUsage, type Usage } from '../kit/meta-usage.js';

export type Parameters = Record<string, string>;

interface GraphRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path below the version, without a leading slash. */
  path: string;
  parameters?: Parameters;
}

/** Calls of the Graph API on behalf of the connected user. */
export class GraphApi {
  private readonly settings: MetaAdsSettings;
  private readonly accessToken: AccessTokenProvider;
  /** Usage from the last answer. It sets the pause before the next call. */
  private usage: Usage | null = null;

  constructor(settings: MetaAdsSettings, accessToken: AccessTokenProvider) {
    this.settings = settings;
    this.accessToken = accessToken;
  }

  get(context: ConnectorContext, path: string, parameters: Parameters = {}): Promise<unknown> {
    return this.send(context, { method: 'GET', path, parameters });
  }

  post(context: ConnectorContext, path: string, parameters: Parameters): Promise<unknown> {
    return this.send(context, { method: 'POST', path, parameters });
  }

  private async send(context: ConnectorContext, request: GraphRequest): Promise<unknown> {
    if (this.usage) await pause(context, pauseMs(this.usage));
    const token = await this.accessToken.accessToken(context.signal);
    const answer = await sendGraphRequest(this.settings, context, request, token);
    this.tellVersion(answer);
    const usage = readUsage(answer.headers);
    this.tellQuota(context, usage);
    this.usage = usage;
    return readAnswer(answer, usage);
  }

  /** Since 2024 Meta serves most calls to an ended version with the next one and says so in this header (versioning, FAQ). */
  private tellVersion({ headers }: HttpAnswer): void {
    const warning = headers.get('x-ad-api-version-warning');
    if (warning !== null) this.settings.warn?.(`Meta warns about API version ${this.settings.apiVersion}: ${warning}`);
  }

  private tellQuota(context: ConnectorContext, usage: Usage | null): void {
    if (!usage) return;
    const { usedPercent, regainSeconds } = usage;
    const resetAt = regainSeconds === null ? null : new Date(this.settings.now().getTime() + regainSeconds * 1_000);
    context.onQuota?.({ usedPercent, resetAt });
  }
}

/** Sends the token in a header. The app secret proof is accepted only in the query. */
export function sendGraphRequest(
  settings: MetaAdsSettings,
  context: ConnectorContext,
  { method, path, parameters = {} }: GraphRequest,
  token: string,
): Promise<HttpAnswer> {
  const query = new URLSearchParams(parameters);
  const isPosted = method === 'POST';
  return sendRequest({ baseUrl: settings.graphUrl, serviceName: 'Meta', requestIdHeader: 'x-fb-trace-id' }, context, {
    method,
    path: `/${settings.apiVersion}/${path}${isPosted || query.size === 0 ? '' : `?${query.toString()}`}`,
    secretQuery: { appsecret_proof: proofOf(settings, token) },
    headers: { authorization: `Bearer ${token}` },
    ...(isPosted && { form: query, hasPublicForm: true }),
  });
}

function proofOf({ appSecret }: MetaAdsSettings, token: string): string {
  return createHmac('sha256', appSecret).update(token).digest('hex');
}

/** The error is in the body, independent of the HTTP status. */
export async function readAnswer(answer: HttpAnswer, usage = readUsage(answer.headers)): Promise<unknown> {
  const text = await answer.text();
  const body = parseOrUndefined(text);
  if (answer.status === 200 && !hasError(body)) {
    if (body === undefined) throw corrupt('malformed_json', 'Meta sent an answer that is not valid JSON.');
    return body;
  }
  throw toConnectorError(readFailure(answer, body, usage?.regainSeconds ?? null));
}

function hasError(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'error' in body;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
