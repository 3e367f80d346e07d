import { randomBytes } from 'node:crypto';
import type { Occasion } from '../faults.ts';
import { sendJson, type Exchange, type Route } from '../router.ts';
import { accounts, type Account } from './accounts.ts';
import { authenticate, reachAccount, readParameters, requireAdsScope } from './access.ts';
import type { Call } from './call.ts';
import { datasets } from './conversions/datasets.ts';
import { Conversions } from './conversions/conversions.ts';
import { servedGraphVersion } from './conversions/graph-versions.ts';
import type { ReceivedEvents } from './conversions/received-events.ts';
import { Dialog } from './dialog.ts';
import { GraphError, needsBusinessManagement, unknownObject } from './errors.ts';
import { isClosed, strike, strikeAccount, strikeEarly, strikePageLimit } from './faults.ts';
import { answerInsights, type InsightsCall } from './insights.ts';
import { accessToken, debugToken } from './oauth.ts';
import { pageOf, undamaged } from './paging.ts';
import { ReportRuns } from './report-runs.ts';
import type { MetaAdsState } from './state.ts';
import { Throttle, throttleProblem, usageHeaders } from './throttle.ts';
import { appScopedId } from './tokens.ts';

/** v24.0 ended for the Marketing API on 2026-10-06. The Conversions API follows the calendar of the Graph API instead. */
const liveVersions = ['v25.0', 'v26.0', 'v27.0'];

export function metaAdsRoutes(state: MetaAdsState, received: ReceivedEvents): Route[] {
  const dialog = new Dialog(state);
  const graph = new Graph(state);
  const conversions = new Conversions(state, received);
  const route = (method: Route['method'], path: string, answer: (call: Call) => void, endpoint = 'api'): Route => ({
    method,
    path: new RegExp(`^/meta-ads/(?<version>v\\d+\\.\\d+)/${path}$`),
    answer: (exchange) => graph.answer(exchange, answer, endpoint),
  });
  const send = (call: Call, body: unknown): void => sendJson(call.response, 200, body, call.headers);
  return [
    { method: 'GET', path: /^\/meta-ads\/v\d+\.\d+\/dialog\/oauth$/, answer: (exchange) => dialog.show(exchange) },
    { method: 'POST', path: /^\/meta-ads\/v\d+\.\d+\/dialog\/oauth$/, answer: (exchange) => dialog.decide(exchange) },
    ...(['GET', 'POST'] as const).map((method) =>
      route(method, 'oauth/access_token', (call) => send(call, accessToken(state, dialog.codes, call.parameters)), 'token'),
    ),
    route(
      'GET',
      'debug_token',
      (call) => send(call, debugToken(state, call.parameters, call.parameters.get('access_token') ?? bearer(call))),
      'token',
    ),
    route('GET', 'me', (call) => send(call, graph.me(call))),
    route('GET', 'me/permissions', (call) => send(call, graph.permissions(call))),
    route('DELETE', 'me/permissions', (call) => send(call, graph.deauthorize(call))),
    route('GET', 'me/adaccounts', (call) => send(call, graph.adAccounts(call))),
    route('GET', 'act_(?<accountId>\\d+)/insights', (call) => answerInsights(state, graph.openAccount(call))),
    route('POST', 'act_(?<accountId>\\d+)/insights', (call) =>
      graph.runs.start(graph.openAccount(call), authenticate(call, state).user.email),
    ),
    route('GET', 'act_(?<accountId>\\d+)/adspixels', (call) => send(call, conversions.list(call))),
    route('GET', `(?<datasetId>${[...datasets.keys()].join('|')})`, (call) => send(call, conversions.read(call))),
    route('POST', '(?<datasetId>\\d+)/events', (call) => conversions.receive(call)),
    route('GET', '(?<runId>\\d+)', (call) => graph.runs.status(...graph.openRun(call))),
    route('GET', '(?<runId>\\d+)/insights', (call) => graph.runs.results(...graph.openRun(call))),
  ];
}

function bearer({ request }: Call): string {
  return (request.headers.authorization ?? '').replace(/^Bearer\s+/i, '');
}

class Graph {
  readonly runs: ReportRuns;
  readonly #state: MetaAdsState;
  readonly #throttle = new Throttle();

  constructor(state: MetaAdsState) {
    this.#state = state;
    this.runs = new ReportRuns(state);
  }

  /** Common handling of all calls: faults, the usage headers of every answer and errors in Meta's format. */
  async answer(exchange: Exchange, answer: (call: Call) => void, endpoint: string): Promise<void> {
    const { faults } = this.#state;
    const { version = '' } = exchange.params;
    const occasion = this.#occasionOf(exchange, endpoint);
    const usage = this.#throttle.count(
      occasion.accountId,
      exchange.request.method === 'POST',
      strike(faults, exchange, 'load', occasion),
    );
    const useCase = occasion.event === 'events' ? 'ads_management' : 'ads_insights';
    const limit = endpoint === 'api' ? throttleProblem(usage, strike(faults, exchange, 'throttle', occasion), useCase) : null;
    const headers = {
      ...versionHeaders(version, this.#servedVersion(version, occasion)),
      ...traceHeaders(),
      ...usageHeaders(usage, occasion.accountId, limit?.waitMinutes ?? 0, useCase),
    };
    try {
      if (!(await strikeEarly(faults, exchange, occasion))) return;
      if (limit) throw limit.error;
      if (!isKnownVersion(version)) throw new GraphError(2_500, `Unknown path components: /${version}`);
      answer({ ...exchange, parameters: readParameters(exchange), occasion, headers });
    } catch (error) {
      if (!(error instanceof GraphError)) throw error;
      sendJson(exchange.response, error.httpStatus, error.body(), headers);
    }
  }

  #servedVersion(version: string, { event }: Occasion): string {
    if (event === 'events') return servedGraphVersion(version, this.#state.clock.now());
    return liveVersions.includes(version) ? version : (liveVersions[0] as string);
  }

  /** Properties that faults match. The results of a report run have those of its report, an event those of its dataset. */
  #occasionOf({ params, url, body, request }: Exchange, endpoint: string): Occasion {
    if (params.datasetId !== undefined) {
      const accountId = datasets.get(params.datasetId)?.ownerAccountId;
      const event = request.method === 'POST' ? { event: 'events' } : {};
      return { endpoint, resource: params.datasetId, ...(accountId && { accountId }), ...event };
    }
    const run = params.runId === undefined ? undefined : this.#state.findReportRun(params.runId);
    const accountId = params.accountId ?? run?.accountId;
    const level = new URLSearchParams(run?.parameters ?? (body || url.search)).get('level');
    return { endpoint, ...(accountId && { accountId }), ...(level && { level }) };
  }

  me(call: Call): Record<string, unknown> {
    const { user, claims } = authenticate(call, this.#state);
    const all: Record<string, unknown> = { id: appScopedId(user.email, claims.clientId), name: user.name };
    if (claims.scopes.includes('email')) all.email = user.email;
    const fields = (call.parameters.get('fields') ?? 'id,name').split(',');
    return Object.fromEntries(Object.entries(all).filter(([name]) => name === 'id' || fields.includes(name)));
  }

  permissions(call: Call): { data: Record<string, string>[] } {
    const { user, claims } = authenticate(call, this.#state);
    const declined = this.#state.declinedBy(user.email, claims.clientId);
    return {
      data: [
        ...claims.scopes.map((permission) => ({ permission, status: 'granted' })),
        ...declined.map((permission) => ({ permission, status: 'declined' })),
      ],
    };
  }

  /** Revokes the app's permissions and invalidates all its tokens of this user. */
  deauthorize(call: Call): { success: true } {
    this.#state.revoke(authenticate(call, this.#state).claims);
    return { success: true };
  }

  adAccounts(call: Call): unknown {
    const caller = authenticate(call, this.#state);
    requireAdsScope(caller);
    const fields = (call.parameters.get('fields') ?? 'account_id').split(',');
    if (fields.includes('business') && !caller.claims.scopes.includes('business_management')) throw needsBusinessManagement();
    const nodes = caller.user.accountIds.map((id) => this.#accountNode(accounts.get(id) as Account, fields));
    const limit = strikePageLimit(this.#state.faults, call, call.occasion);
    return pageOf(call, nodes, call.parameters, caller.token, { ...undamaged, limit });
  }

  #accountNode(account: Account, fields: string[]): Record<string, unknown> {
    const offset = new Intl.DateTimeFormat('en', { timeZone: account.timeZone, timeZoneName: 'longOffset' }).format(
      this.#state.clock.now(),
    );
    const hours = /GMT([+-]\d+)/.exec(offset)?.[1] ?? '0';
    const all: Record<string, unknown> = {
      account_id: account.id,
      name: account.name,
      currency: account.currency,
      timezone_name: account.timeZone,
      timezone_offset_hours_utc: Number(hours),
      account_status: isClosed(this.#state.faults, account.id) ? 101 : account.status,
      ...(account.business && { business: account.business, business_name: account.business.name }),
    };
    return { ...Object.fromEntries(Object.entries(all).filter(([name]) => fields.includes(name))), id: `act_${account.id}` };
  }

  openAccount(call: Call): InsightsCall {
    const caller = authenticate(call, this.#state);
    requireAdsScope(caller);
    const account = reachAccount(caller.user, call.params.accountId ?? '');
    strikeAccount(this.#state.faults, call, call.occasion, account.id);
    return { ...call, account, token: caller.token };
  }

  openRun(call: Call): Parameters<ReportRuns['status']> {
    const caller = authenticate(call, this.#state);
    const run = this.runs.find(call.params.runId ?? '', caller.user.email);
    const account = accounts.get(run.accountId);
    if (!account) throw unknownObject(run.id);
    strikeAccount(this.#state.faults, call, call.occasion, account.id);
    return [{ ...call, account, token: caller.token }, run];
  }
}

/** An ended version is served by the oldest supported one; an unknown version is an invalid path. */
function isKnownVersion(version: string): boolean {
  return Number(version.slice(1)) <= Number((liveVersions.at(-1) as string).slice(1));
}

/** Meta announces in a header that it served a call with a newer version (Marketing API, versioning). */
function versionHeaders(asked: string, served: string): Record<string, string> {
  const warning = `The call has been auto-upgraded to ${served} as ${asked} has been deprecated`;
  return { 'facebook-api-version': served, ...(served !== asked && { 'x-ad-api-version-warning': warning }) };
}

function traceHeaders(): Record<string, string> {
  return {
    'x-fb-request-id': `A${randomBytes(12).toString('base64url')}`,
    'x-fb-trace-id': randomBytes(8).toString('base64url'),
  };
}
