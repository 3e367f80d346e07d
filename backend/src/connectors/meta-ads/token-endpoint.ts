import { z } from 'zod';
import { FixSettings, ReconnectNeeded, type ConnectorError } from '../kit/errors.js';
import { sendRequest, type HttpAnswer } from '../kit/http.js';
import { readAnswer } from './api.js';
import { corrupt, readFailure, toConnectorError, type ProviderFailure } from './errors.js';
import type { MetaAdsSettings } from './settings.js';

const REQUEST_TIMEOUT_MS = 30_000;

const tokenSchema = z.object({ access_token: z.string().min(1) });
const debugSchema = z.object({
  data: z.object({
    expires_at: z.number().default(0),
    data_access_expires_at: z.number().default(0),
    scopes: z.array(z.string()).default([]),
  }),
});

/** Exchanges the authorization code for a token that is valid for one to two hours. */
export function exchangeForShort(
  settings: MetaAdsSettings,
  { code, redirectUri }: { code: string; redirectUri: string },
  signal: AbortSignal,
): Promise<string> {
  return askForToken(settings, { code, redirect_uri: redirectUri }, signal);
}

/** Exchanges a valid token for one that is valid for about 60 days. */
export function exchangeForLong(settings: MetaAdsSettings, token: string, signal: AbortSignal): Promise<string> {
  return askForToken(settings, { grant_type: 'fb_exchange_token', fb_exchange_token: token }, signal);
}

/** When the token and the data access expire, in seconds since 1970; zero for never. */
export async function debugToken(
  settings: MetaAdsSettings,
  token: string,
  signal: AbortSignal,
): Promise<z.infer<typeof debugSchema>['data']> {
  const headers = { authorization: `Bearer ${settings.appId}|${settings.appSecret}` };
  const answer = await sendRequest(httpSettings(settings), quietly(signal), {
    method: 'GET',
    path: `/${settings.apiVersion}/debug_token`,
    secretQuery: { input_token: token },
    headers,
  });
  const checked = debugSchema.safeParse(await readAnswer(answer));
  if (!checked.success) throw corrupt('unexpected_token_answer', 'Meta returned no expiry for the access.');
  return checked.data.data;
}

async function askForToken(settings: MetaAdsSettings, parameters: Record<string, string>, signal: AbortSignal): Promise<string> {
  const answer = await sendRequest(httpSettings(settings), quietly(signal), {
    method: 'GET',
    path: `/${settings.apiVersion}/oauth/access_token`,
    secretQuery: { client_id: settings.appId, client_secret: settings.appSecret, ...parameters },
  });
  const checked = tokenSchema.safeParse(await readTokenAnswer(answer));
  if (!checked.success) throw corrupt('unexpected_token_answer', 'Meta sent an answer without a token.');
  return checked.data.access_token;
}

async function readTokenAnswer(answer: HttpAnswer): Promise<unknown> {
  const text = await answer.text();
  const body = parse(text);
  if (answer.status === 200) return body;
  throw toTokenError(readFailure(answer, body, null));
}

/** Codes have other meanings at this endpoint: 1 is a wrong app secret, 100 an invalid code. */
function toTokenError(failure: ProviderFailure): ConnectorError {
  const { code, subcode, status, requestId } = failure;
  const isClient = (code === 1 && status < 500) || code === 101 || (code === 100 && subcode === 36_008);
  if (isClient) {
    return new FixSettings({
      code: 'meta_ads.app_refused',
      message: "Meta rejected this installation's own credentials (app ID, app secret or redirect URI).",
      action: 'Ask the operator of this installation to check META_APP_ID and META_APP_SECRET',
      providerRequestId: requestId,
    });
  }
  if (code !== 100) return toConnectorError(failure);
  return new ReconnectNeeded({
    code: 'meta_ads.code_refused',
    message: 'Meta no longer accepts this sign-in: it was already used, or it took too long.',
    action: 'Reconnect with Meta',
    providerRequestId: requestId,
  });
}

function httpSettings({ graphUrl }: MetaAdsSettings) {
  return { baseUrl: graphUrl, serviceName: 'Meta', requestIdHeader: 'x-fb-trace-id', answerTimeoutMs: REQUEST_TIMEOUT_MS };
}

/** Requests of a sign-in do not belong to a run and are not recorded. */
function quietly(signal: AbortSignal) {
  return { signal, onRequest: () => undefined };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
