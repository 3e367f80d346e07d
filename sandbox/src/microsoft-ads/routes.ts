import { randomUUID } from 'node:crypto';
import { sendJson, type Exchange, type Route } from '../router.ts';
import type { Account, User } from './accounts.ts';
import { authenticate, reachAccount } from './access.ts';
import type { ConversionOperations } from './conversions/operations.ts';
import type { UetApi } from './conversions/uet-api.ts';
import { getCustomersInfo, getUser, searchAccounts } from './customer-management.ts';
import { ApiFault, faultBody, unreadableRequest } from './errors.ts';
import { strikeAccount, strikeEarly, strikeUser } from './faults.ts';
import { conversionGoals } from './goals.ts';
import { OAuth } from './oauth.ts';
import { Reporting } from './reporting.ts';
import { isRecord } from './report-request.ts';
import type { MicrosoftAdsState } from './state.ts';

type Body = Record<string, unknown>;

export function microsoftAdsRoutes(state: MicrosoftAdsState, conversions: ConversionOperations, uet: UetApi): Route[] {
  const oauth = new OAuth(state);
  const reporting = new Reporting(state);
  const authorize = /^\/microsoft-ads\/oauth2\/v2\.0\/authorize$/;
  return [
    { method: 'GET', path: authorize, answer: (exchange) => oauth.showConsent(exchange) },
    { method: 'POST', path: authorize, answer: (exchange) => oauth.decide(exchange) },
    {
      method: 'POST',
      path: /^\/microsoft-ads\/oauth2\/v2\.0\/token$/,
      answer: (exchange) => answerToken(state, exchange, () => oauth.token(exchange)),
    },
    userCall(state, 'CustomerManagement/v13/User/Query', 'user', (_, body, user) => getUser(body, user)),
    userCall(state, 'CustomerManagement/v13/CustomersInfo/Query', 'customers', (_, body, user) => getCustomersInfo(body, user)),
    userCall(state, 'CustomerManagement/v13/Accounts/Search', 'accounts', (exchange, body, user) =>
      searchAccounts(state, exchange, body, user),
    ),
    ...conversionRoutes(state, conversions),
    {
      method: 'POST',
      path: /^\/microsoft-ads\/uet\/v1\/(?<tagId>\d+)\/events$/,
      answer: (exchange) => uet.receive(exchange),
    },
    accountCall(state, 'Reporting/v13/GenerateReport/Submit', 'submit', (exchange, body, user, account) =>
      reporting.submit(exchange, body, user, account),
    ),
    accountCall(state, 'Reporting/v13/GenerateReport/Poll', 'poll', (exchange, body, user) =>
      reporting.poll(exchange, body, user),
    ),
    {
      method: 'GET',
      path: /^\/microsoft-ads\/download\/(?<id>\d+)\.zip$/,
      answer: (exchange) => answerApi(exchange, () => reporting.download(exchange)),
    },
  ];
}

function conversionRoutes(state: MicrosoftAdsState, conversions: ConversionOperations): Route[] {
  const call = (path: string, event: string, answer: (exchange: Exchange, body: Body, account: Account) => Body | null): Route =>
    accountCall(state, `CampaignManagement/v13/${path}`, event, (exchange, body, _, account) => answer(exchange, body, account));
  return [
    call('ConversionGoals/QueryByIds', 'goals', (_, body, account) => {
      const [ids, types] = [listOf(body.ConversionGoalIds), listOf(body.ConversionGoalTypes)];
      const goals = [
        ...conversionGoals(account, ids, types),
        ...conversions.goals(account, ids, types, listOf(body.ReturnAdditionalFields)),
      ];
      return { ConversionGoals: goals, PartialErrors: [] };
    }),
    call('OfflineConversions/Apply', 'offline_conversions', conversions.applyOffline),
    call('OfflineConversionAdjustments/Apply', 'offline_adjustments', conversions.adjustOffline),
    call('OnlineConversionAdjustments/Apply', 'online_adjustments', conversions.adjustOnline),
    call('OfflineConversionReports/Query', 'conversion_report', conversions.dailyReport),
    call('OfflineConversionReport/QueryByGoalIds', 'conversion_report', conversions.goalReport),
    call('UetTags/QueryByIds', 'tags', conversions.tags),
    call('UetTagAuthKey/Query', 'tag_key', conversions.tagKey),
  ];
}

function userCall(
  state: MicrosoftAdsState,
  path: string,
  event: string,
  answer: (exchange: Exchange, body: Body, user: User) => Body,
): Route {
  return {
    method: 'POST',
    path: new RegExp(`^/microsoft-ads/${path.replaceAll('.', '\\.')}$`),
    answer: (exchange) =>
      answerApi(exchange, async (trackingId) => {
        const occasion = { endpoint: 'api', event };
        if (!(await strikeEarly(state.faults, exchange, occasion))) return;
        const body = readJson(exchange.body);
        const user = authenticate(exchange.request, state);
        strikeUser(state.faults, exchange, occasion);
        sendJson(exchange.response, 200, answer(exchange, body, user), { TrackingId: trackingId });
      }),
  };
}

function accountCall(
  state: MicrosoftAdsState,
  path: string,
  event: string,
  /** Null: there is no answer. */
  answer: (exchange: Exchange, body: Body, user: User, account: Account) => Body | null,
): Route {
  return {
    method: 'POST',
    path: new RegExp(`^/microsoft-ads/${path}$`),
    answer: (exchange) =>
      answerApi(exchange, async (trackingId) => {
        const { request } = exchange;
        const accountId = String(request.headers.customeraccountid ?? '');
        const body = readJson(exchange.body);
        const occasion = { endpoint: 'api', event, accountId, resource: reportTypeIn(body) };
        if (!(await strikeEarly(state.faults, exchange, occasion))) return;
        const user = authenticate(request, state);
        const account = reachAccount(request, user);
        strikeAccount(state.faults, exchange, occasion);
        const content = answer(exchange, body, user, account);
        if (content) sendJson(exchange.response, 200, content, { TrackingId: trackingId });
      }),
  };
}

function reportTypeIn(body: Body): string | undefined {
  const type = isRecord(body.ReportRequest) ? body.ReportRequest.Type : undefined;
  return typeof type === 'string' ? type.replace(/ReportRequest$/, '') : undefined;
}

async function answerApi(exchange: Exchange, answer: (trackingId: string) => void | Promise<void>): Promise<void> {
  const trackingId = randomUUID();
  try {
    await answer(trackingId);
  } catch (error) {
    if (!(error instanceof ApiFault)) throw error;
    sendJson(exchange.response, error.httpStatus, faultBody(error, trackingId), { TrackingId: trackingId });
  }
}

/** Failures of the token endpoint itself have no machine-readable format. */
async function answerToken(state: MicrosoftAdsState, exchange: Exchange, answer: () => void): Promise<void> {
  try {
    if (await strikeEarly(state.faults, exchange, { endpoint: 'token' })) answer();
  } catch (error) {
    if (!(error instanceof ApiFault)) throw error;
    exchange.response.writeHead(error.httpStatus, { 'content-type': 'text/html' });
    exchange.response.end('<html><body>Service unavailable</body></html>');
  }
}

/** A list of texts, or one text with several values, separated by commas or spaces like flags. */
function listOf(value: unknown): string[] {
  return Array.isArray(value)
    ? value.map(String)
    : String(value ?? '')
        .split(/[\s,]+/)
        .filter(Boolean);
}

function readJson(text: string): Body {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Falls through to the rejection below.
  }
  throw unreadableRequest('The body must be a JSON object');
}
