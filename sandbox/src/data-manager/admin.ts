import { readDate, readJsonObject, refusing } from '../parameters.ts';
import { toDayNumber } from '../clock.ts';
import { DecimalSum } from '../decimal.ts';
import { InvalidFault } from '../faults.ts';
import { accounts, type Account } from '../google-ads/accounts.ts';
import { clickAt, clickKinds, clicksOf, type Click, type ClickKind } from '../google-ads/clicks.ts';
import { findConversionAction } from '../google-ads/conversion-actions.ts';
import type { StoredConversion } from '../google-ads/conversion-store.ts';
import { sendJson, type Exchange, type Route } from '../router.ts';
import type { DataManagerState } from './state.ts';

export function adminRoutes(state: DataManagerState): Route[] {
  return [
    {
      method: 'GET',
      path: /^\/admin\/data-manager\/received$/,
      answer: refusing((exchange) => sendReceived(state, exchange)),
    },
    { method: 'GET', path: /^\/admin\/data-manager\/clicks$/, answer: refusing((exchange) => sendClicks(state, exchange)) },
    {
      method: 'POST',
      path: /^\/admin\/data-manager\/settings$/,
      answer: refusing(({ response, body }) => {
        state.limits.set(readJsonObject(body));
        sendJson(response, 200, state.limits.settings);
      }),
    },
  ];
}

/**
 * GET /admin/data-manager/received[?customerId][&conversionActionId]: what was accepted, and every stored conversion with all its
 * values, also those of the Google Ads API. `customerId` is the owner of the conversion action.
 */
function sendReceived(state: DataManagerState, { response, url }: Exchange): void {
  const customerId = url.searchParams.get('customerId');
  const actionId = url.searchParams.get('conversionActionId');
  if (customerId !== null) findAccount(customerId);
  const isWanted = (owner: string | undefined, action: string | undefined): boolean =>
    (!customerId || owner === customerId) && (!actionId || action === actionId);
  const results = state
    .requests()
    .flatMap((request) => request.results)
    .filter(({ destination }) => isWanted(destination.operatingAccount?.accountId, destination.productDestinationId));
  const failures: Record<string, number> = {};
  for (const result of results)
    for (const [reason, count] of Object.entries(result.failures)) failures[reason] = (failures[reason] ?? 0) + count;
  const stored = state.conversions.conversions().filter((one) => isWanted(one.customerId, one.actionId));
  sendJson(response, 200, {
    requests: state.requests().length,
    events: results.reduce((sum, { records }) => sum + records, 0),
    failures,
    conversionActions: [...Map.groupBy(stored, (one) => one.actionId)].map(([id, conversions]) => actionBody(id, conversions)),
  });
}

/** Retracted conversions are listed, but neither counted nor summed. */
function actionBody(conversionActionId: string, conversions: StoredConversion[]): Record<string, unknown> {
  const counted = conversions.filter(({ isRetracted }) => !isRetracted);
  const sums = new Map<string, DecimalSum>();
  for (const { currency, value } of counted) {
    const sum = sums.get(currency) ?? new DecimalSum();
    sum.add(value);
    sums.set(currency, sum);
  }
  return {
    customerId: conversions[0]?.customerId,
    conversionActionId,
    name: findConversionAction(conversionActionId)?.name,
    conversions: counted.length,
    values: Object.fromEntries([...sums].map(([currency, sum]) => [currency, sum.toString()])),
    events: conversions,
  };
}

/**
 * GET /admin/data-manager/clicks?customerId&date[&kind]: the clicks of a UTC day up to now. With `at` instead of `date`: a click of
 * exactly that time.
 */
function sendClicks(state: DataManagerState, { response, url }: Exchange): void {
  const account = findAccount(url.searchParams.get('customerId') ?? '');
  const kind = readKind(url.searchParams.get('kind') ?? 'gclid');
  const at = url.searchParams.get('at');
  const clicks = at === null ? clicksOf(account, kind, readDay(url)) : [clickAt(account.id, kind, readTime(at))];
  const past = clicks.filter(({ clickedAt }) => at !== null || clickedAt <= state.now());
  sendJson(response, 200, { clicks: past.map(clickBody) });
}

function clickBody({ clickedAt, ...click }: Click): Record<string, unknown> {
  return { ...click, clickedAt: new Date(clickedAt).toISOString() };
}

function findAccount(id: string): Account {
  const account = accounts.get(id);
  if (!account) throw new InvalidFault(`Unknown customerId ${id}`, { known: [...accounts.keys()] });
  return account;
}

function readKind(text: string): ClickKind {
  const kind = clickKinds.find((one) => one === text);
  if (!kind) throw new InvalidFault(`Unknown kind ${text}`, { known: clickKinds });
  return kind;
}

function readDay(url: URL): number {
  return toDayNumber(readDate(url.searchParams.get('date'), 'date'));
}

function readTime(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new InvalidFault('at must be a time such as 2026-03-10T12:00:00Z');
  return at;
}
