import type { Occasion } from '../faults.ts';
import { sendHtml, sendJson, type Exchange, type Route } from '../router.ts';
import { readCredentials } from './access.ts';
import { importErrorBody, isFromGateway, MixpanelError, PlainError, queryErrorBody } from './errors.ts';
import { exportEvents } from './export.ts';
import { strikeEarly, striking, type Strike } from './faults.ts';
import { importEvents } from './import.ts';
import type { Residency } from './projects.ts';
import { describeAccount, listEventNames, sumByDay } from './queries.ts';
import type { MixpanelState } from './state.ts';

type Answer = (state: MixpanelState, exchange: Exchange, residency: Residency, strike: Strike) => void | Promise<void>;

/** Each region has its own path: us stands for mixpanel.com, eu and in for their own hosts. */
export function mixpanelRoutes(state: MixpanelState): Route[] {
  const route = (method: Route['method'], path: string, endpoint: string, answer: Answer): Route => ({
    method,
    path: new RegExp(`^/mixpanel/(?<residency>us|eu|in)/${path}/?$`),
    isStreamed: true,
    answer: (exchange) => answerCall(state, exchange, endpoint, answer),
  });
  return [
    route('POST', 'import', 'api', importEvents),
    route('GET', 'export', 'export', exportEvents),
    route('GET', 'api/app/me', 'app', describeAccount),
    route('GET', 'api/query/events/names', 'query', listEventNames),
    route('GET', 'api/query/segmentation/sum', 'query', sumByDay),
  ];
}

async function answerCall(state: MixpanelState, exchange: Exchange, endpoint: string, answer: Answer): Promise<void> {
  const { request, response, url, params } = exchange;
  const user = readCredentials(request)?.username;
  const projectId = url.searchParams.get('project_id');
  const occasion: Occasion = { endpoint, ...(user && { user }), ...(projectId && { projectId }) };
  const strike = striking(state.faults, exchange, occasion);
  try {
    if (await strikeEarly(strike, exchange)) await answer(state, exchange, params.residency as Residency, strike);
  } catch (error) {
    if (!(error instanceof MixpanelError)) throw error;
    // An unread body would prevent reusing the connection.
    request.resume();
    if (isFromGateway(error))
      return sendHtml(response, error.httpStatus, `<html><head><title>${error.httpStatus}</title></head></html>`);
    if (error instanceof PlainError) {
      response.writeHead(error.httpStatus, { 'content-type': 'text/plain; charset=utf-8' });
      return void response.end(error.message);
    }
    const body = endpoint === 'api' ? importErrorBody(error) : queryErrorBody(error, url.pathname + url.search);
    sendJson(response, error.httpStatus, body);
  }
}
