import { toDayNumber } from './clock.ts';
import { InvalidFault, type Fault } from './faults.ts';
import { accounts, type Account } from './google-ads/accounts.ts';
import { streamTotals } from './google-ads/totals.ts';
import { sendJson, type Exchange, type Route } from './router.ts';
import type { Sandbox } from './sandbox.ts';

/** No authentication: whoever reaches the sandbox may break it. */
export function adminRoutes(sandbox: Sandbox): Route[] {
  return [
    { method: 'GET', path: /^\/admin\/google-ads\/totals$/, answer: refusing((exchange) => sendTotals(sandbox, exchange)) },
    {
      method: 'GET',
      path: /^\/admin\/faults$/,
      answer: ({ response }) => sendJson(response, 200, { faults: sandbox.faults.list(), known: sandbox.faults.known }),
    },
    { method: 'POST', path: /^\/admin\/faults$/, answer: refusing((exchange) => addFault(sandbox, exchange)) },
    {
      method: 'DELETE',
      path: /^\/admin\/faults(?:\/(?<id>[^/]+))?$/,
      answer: refusing((exchange) => removeFaults(sandbox, exchange)),
    },
    { method: 'GET', path: /^\/admin\/requests$/, answer: refusing((exchange) => sendRequests(sandbox, exchange)) },
    { method: 'GET', path: /^\/admin\/clock$/, answer: ({ response }) => sendJson(response, 200, clockOf(sandbox)) },
    { method: 'POST', path: /^\/admin\/clock$/, answer: refusing((exchange) => moveClock(sandbox, exchange)) },
  ];
}

/** A question that cannot be answered as it is asked is a 400 with the reason. */
function refusing(answer: (exchange: Exchange) => void | Promise<void>): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    try {
      await answer(exchange);
    } catch (error) {
      if (!(error instanceof InvalidFault)) throw error;
      sendJson(exchange.response, 400, { error: error.message, ...error.details });
    }
  };
}

function sendTotals(sandbox: Sandbox, { response, url }: Exchange): void {
  const account = findAccount(url.searchParams.get('customerId'));
  const from = readDate(url.searchParams.get('from'), 'from');
  const to = readDate(url.searchParams.get('to'), 'to');
  if (from > to) throw new InvalidFault('from must not be later than to');
  const campaignDaily = streamTotals(sandbox.googleAds, account, 'campaign_daily', from, to);
  const adGroupDaily = streamTotals(sandbox.googleAds, account, 'ad_group_daily', from, to);
  const { rows, ...sums } = campaignDaily;
  sendJson(response, 200, {
    rows: { campaign_daily: rows, ad_group_daily: adGroupDaily.rows },
    ...sums,
    streams: { campaign_daily: campaignDaily, ad_group_daily: adGroupDaily },
  });
}

async function addFault(sandbox: Sandbox, { response, body }: Exchange): Promise<void> {
  const fault = sandbox.faults.parse(readJson(body));
  if (fault.provider === 'postgresql') await applyToWarehouse(sandbox, fault);
  if (fault.fault === 'restate') restate(sandbox, fault);
  const isKept = !sandbox.faults.known[fault.provider]?.[fault.fault]?.isEvent;
  if (isKept) sandbox.faults.add(fault);
  sendJson(response, 201, { id: fault.id, isKept });
}

async function applyToWarehouse(sandbox: Sandbox, fault: Fault): Promise<void> {
  if (!sandbox.warehouse) throw new InvalidFault('The sandbox knows no warehouse: start it with SANDBOX_WAREHOUSE_URL');
  await sandbox.warehouse.apply(fault);
}

function restate(sandbox: Sandbox, fault: Fault): void {
  const account = findAccount(fault.parameters.customerId);
  const fromDay = toDayNumber(readDate(fault.parameters.from, 'from'));
  const toDay = toDayNumber(readDate(fault.parameters.to, 'to'));
  if (fromDay > toDay) throw new InvalidFault('from must not be later than to');
  sandbox.googleAds.restate(account.id, fromDay, toDay);
}

async function removeFaults(sandbox: Sandbox, { response, params }: Exchange): Promise<void> {
  const removed = sandbox.faults.remove(params.id);
  if (params.id && removed.length === 0) return sendJson(response, 404, { error: `No fault ${params.id}` });
  if (removed.some((fault) => fault.provider === 'postgresql')) await sandbox.warehouse?.clear();
  sendJson(response, 200, { removed: removed.map((fault) => fault.id) });
}

function sendRequests(sandbox: Sandbox, { response, url }: Exchange): void {
  const limit = Number(url.searchParams.get('limit') ?? 200);
  if (!Number.isInteger(limit) || limit < 1) throw new InvalidFault('limit must be a whole number of at least 1');
  sendJson(response, 200, { requests: sandbox.requestLog.list(url.searchParams.get('provider'), limit) });
}

function moveClock(sandbox: Sandbox, { response, body }: Exchange): void {
  const { offsetDays } = readJson(body);
  if (typeof offsetDays !== 'number' || !Number.isInteger(offsetDays))
    throw new InvalidFault('offsetDays must be a whole number');
  sandbox.clock.offsetDays = offsetDays;
  sendJson(response, 200, clockOf(sandbox));
}

function clockOf(sandbox: Sandbox): Record<string, unknown> {
  return { offsetDays: sandbox.clock.offsetDays, now: sandbox.clock.now().toISOString() };
}

function findAccount(id: unknown): Account {
  const account = typeof id === 'string' ? accounts.get(id) : undefined;
  if (!account) throw new InvalidFault(`Unknown customerId ${String(id)}`, { known: [...accounts.keys()] });
  return account;
}

function readDate(value: unknown, name: string): string {
  if (typeof value !== 'string' || Number.isNaN(toDayNumber(value)))
    throw new InvalidFault(`${name} must be a date of the form YYYY-MM-DD`);
  return value;
}

function readJson(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Falls through to the one refusal below.
  }
  throw new InvalidFault('The body must be a JSON object');
}
