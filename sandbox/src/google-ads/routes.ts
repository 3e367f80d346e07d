import { randomBytes } from 'node:crypto';
import type { Occasion } from '../faults.ts';
import { sendJson, type Exchange, type Route } from '../router.ts';
import { authenticate, reachAccount } from './access.ts';
import { streamSearch, summarySettings, type SummarySetting, undamaged } from './answer-stream.ts';
import { errorBody, GoogleAdsError } from './errors.ts';
import { strikeAccount, strikeAfterUpload, strikeData, strikeEarly, strikeLongRange, strikeUpload } from './faults.ts';
import { OAuth } from './oauth.ts';
import { needsMetrics } from './plan.ts';
import { prepareSearch, searchPage, type Search } from './search.ts';
import type { GoogleAdsState } from './state.ts';
import { uploadClickConversions, uploadConversionAdjustments, type UploadCall } from './upload-routes.ts';

const liveVersions = ['v24', 'v25', 'v26'];

interface Call extends Exchange {
  requestId: string;
  occasion: Occasion;
}

export function googleAdsRoutes(state: GoogleAdsState): Route[] {
  const oauth = new OAuth(state);
  const call =
    (answer: (call: Call) => void | Promise<void>, isStream = false) =>
    (exchange: Exchange) =>
      answerCall(state, exchange, answer, isStream);
  return [
    { method: 'GET', path: /^\/google-ads\/oauth\/auth$/, answer: (exchange) => oauth.showConsent(exchange) },
    { method: 'POST', path: /^\/google-ads\/oauth\/auth$/, answer: (exchange) => oauth.decide(exchange) },
    {
      method: 'POST',
      path: /^\/google-ads\/oauth\/token$/,
      answer: (exchange) => answerToken(state, exchange, () => oauth.token(exchange)),
    },
    { method: 'POST', path: /^\/google-ads\/oauth\/revoke$/, answer: (exchange) => oauth.revoke(exchange) },
    { method: 'GET', path: /^\/google-ads\/oauth\/userinfo$/, answer: (exchange) => oauth.userInfo(exchange) },
    {
      method: 'GET',
      path: /^\/google-ads\/(?<version>v\d+)\/customers:listAccessibleCustomers$/,
      answer: call((exchange) => listAccessibleCustomers(state, exchange)),
    },
    {
      method: 'POST',
      path: /^\/google-ads\/(?<version>v\d+)\/customers\/(?<customerId>[^/]+)\/googleAds:search$/,
      answer: call((exchange) => search(state, exchange)),
    },
    {
      method: 'POST',
      path: /^\/google-ads\/(?<version>v\d+)\/customers\/(?<customerId>[^/]+)\/googleAds:searchStream$/,
      answer: call((exchange) => searchStream(state, exchange), true),
    },
    {
      method: 'POST',
      path: /^\/google-ads\/(?<version>v\d+)\/customers\/(?<customerId>[^/:]+):uploadClickConversions$/,
      answer: call((exchange) => upload(state, exchange, uploadClickConversions)),
    },
    {
      method: 'POST',
      path: /^\/google-ads\/(?<version>v\d+)\/customers\/(?<customerId>[^/:]+):uploadConversionAdjustments$/,
      answer: call((exchange) => upload(state, exchange, uploadConversionAdjustments)),
    },
  ];
}

/** Common handling of all calls: version, early faults and errors in Google's format (in an array on a stream). */
async function answerCall(
  state: GoogleAdsState,
  exchange: Exchange,
  answer: (call: Call) => void | Promise<void>,
  isStream: boolean,
): Promise<void> {
  const requestId = randomBytes(16).toString('base64url');
  const { customerId, version = '' } = exchange.params;
  const resource = /\bFROM\s+(\w+)/i.exec(exchange.body)?.[1];
  const occasion: Occasion = { endpoint: 'api', ...(customerId && { customerId }), ...(resource && { resource }) };
  try {
    if (!(await strikeEarly(state.faults, exchange, occasion))) return;
    if (!liveVersions.includes(version)) {
      throw new GoogleAdsError(
        'invalid',
        'requestError',
        'UNSUPPORTED_VERSION',
        `Version ${version} is deprecated or unknown. Requests to this version will be blocked.`,
      );
    }
    await answer({ ...exchange, requestId, occasion });
  } catch (error) {
    if (!(error instanceof GoogleAdsError)) throw error;
    const body = errorBody(error, version, requestId);
    sendJson(exchange.response, error.httpStatus, isStream ? [body] : body, { 'request-id': requestId });
  }
}

async function answerToken(state: GoogleAdsState, exchange: Exchange, answer: () => void): Promise<void> {
  try {
    if (await strikeEarly(state.faults, exchange, { endpoint: 'token' })) answer();
  } catch (error) {
    if (!(error instanceof GoogleAdsError)) throw error;
    sendJson(exchange.response, error.httpStatus, { error: 'internal_failure', error_description: error.message });
  }
}

function listAccessibleCustomers(state: GoogleAdsState, call: Call): void {
  const user = authenticate(call.request, state);
  const resourceNames = user.directAccountIds.map((id) => `customers/${id}`);
  sendJson(call.response, 200, { resourceNames }, { 'request-id': call.requestId });
}

function openSearch(state: GoogleAdsState, call: Call, body: Record<string, unknown>): Search {
  const user = authenticate(call.request, state);
  const account = reachAccount(call.request, user, call.params.customerId ?? '');
  strikeAccount(state.faults, call, call.occasion);
  const search = prepareSearch(state, account, user, body.query);
  strikeLongRange(state.faults, call, call.occasion, search.plan);
  return search;
}

function search(state: GoogleAdsState, call: Call): void {
  const body = readJson(call.body);
  const prepared = openSearch(state, call, body);
  if (body.pageSize !== undefined) {
    throw new GoogleAdsError(
      'invalid',
      'requestError',
      'PAGE_SIZE_NOT_SUPPORTED',
      'Setting the page size is not supported. Search responses have a fixed page size of 10,000 rows.',
      {
        fieldPath: ['page_size'],
      },
    );
  }
  const headers = { 'content-type': 'application/json; charset=UTF-8', 'request-id': call.requestId };
  if (body.validateOnly === true) return void call.response.writeHead(200, headers).end('{}');
  const damage = needsMetrics(prepared.plan) ? strikeData(state.faults, call, call.occasion) : null;
  const text = searchPage(prepared, body, damage);
  call.response.writeHead(200, headers);
  call.response.end(damage?.cut ? text.slice(0, Math.floor(text.length / 2)) : text);
}

async function searchStream(state: GoogleAdsState, call: Call): Promise<void> {
  const body = readJson(call.body);
  const prepared = openSearch(state, call, body);
  const damage = needsMetrics(prepared.plan) ? strikeData(state.faults, call, call.occasion) : undamaged;
  await streamSearch(call.response, prepared, summarySetting(body.summaryRowSetting), damage, call.requestId);
}

function upload(
  state: GoogleAdsState,
  call: Call,
  answer: (state: GoogleAdsState, call: UploadCall) => Record<string, unknown>,
): void {
  const body = readJson(call.body);
  const user = authenticate(call.request, state);
  const account = reachAccount(call.request, user, call.params.customerId ?? '');
  strikeAccount(state.faults, call, call.occasion);
  const { isAllowed, rows: fault, after } = strikeUpload(state.faults, call, call.occasion);
  const { request, requestId, params } = call;
  const result = answer(state, { request, account, body, version: params.version ?? '', requestId, isAllowed, fault });
  if (strikeAfterUpload(call, after)) sendJson(call.response, 200, result, { 'request-id': requestId });
}

function summarySetting(value: unknown): SummarySetting {
  const setting = summarySettings.find((name) => name === (value ?? 'NO_SUMMARY_ROW'));
  if (!setting)
    throw new GoogleAdsError('invalid', 'requestError', 'INVALID_ENUM_VALUE', 'Invalid value for summary_row_setting.', {
      fieldPath: ['summary_row_setting'],
    });
  return setting;
}

function readJson(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body || '{}');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through to the rejection below.
  }
  throw new GoogleAdsError('invalid', 'requestError', 'INVALID_INPUT', 'Invalid JSON payload received.');
}
