import { randomUUID } from 'node:crypto';
import type { Fault, Occasion } from '../faults.ts';
import { readToken } from '../google-ads/tokens.ts';
import { sendJson, type Exchange, type Route } from '../router.ts';
import { authenticate, canReach } from './access.ts';
import { DataManagerError, errorBody, invalidArgument, permissionDenied, type FieldViolation } from './errors.ts';
import { affects, serverError, strikeEarly, striking, textOf, type Strike } from './faults.ts';
import { processRequest, type Effects } from './process.ts';
import { readRequest } from './read-request.ts';
import type { DataManagerState } from './state.ts';
import { invalidRequestId, missingRequestId, statusBody } from './status.ts';
import { validate, type ValidRequest } from './validate.ts';
import { warningsOf } from './warnings.ts';

interface Call extends Exchange {
  strike: Strike;
  /** For faults of the content of a status, which apply without naming the endpoint. */
  strikeContent: Strike;
}

/** Google's client libraries cannot be given a path before /v1, so the calls are also served without the provider's name. */
export function dataManagerRoutes(state: DataManagerState): Route[] {
  return [
    {
      method: 'POST',
      path: /^(?:\/data-manager)?\/v1\/events:ingest$/,
      answer: (exchange) => answerCall(state, exchange, 'api', 'IngestEvents', (call) => ingest(state, call)),
    },
    {
      method: 'GET',
      path: /^(?:\/data-manager)?\/v1\/requestStatus:retrieve$/,
      answer: (exchange) => answerCall(state, exchange, 'status', 'RetrieveRequestStatus', (call) => retrieve(state, call)),
    },
  ];
}

/** Common handling of both calls: faults, quotas and errors in Google's format. */
async function answerCall(
  state: DataManagerState,
  exchange: Exchange,
  endpoint: string,
  method: string,
  answer: (call: Call) => void,
): Promise<void> {
  exchange.log.provider = 'data-manager';
  const occasion = occasionOf(exchange, endpoint);
  const strike = striking(state.faults, exchange, occasion);
  const strikeContent = striking(state.faults, exchange, { ...occasion, endpoint: 'api' });
  try {
    if (!(await strikeEarly(strike, exchange, method))) return;
    answer({ ...exchange, strike, strikeContent });
  } catch (error) {
    if (!(error instanceof DataManagerError)) throw error;
    const body = errorBody(error, `t-${randomUUID()}`, strike('short_paths') !== undefined);
    sendJson(exchange.response, error.httpStatus, body);
  }
}

/** Faults can be limited to an account, which is searched in the unread body, or to a user. */
function occasionOf({ request, body }: Exchange, endpoint: string): Occasion {
  const customerId = /"operating_?account"\s*:\s*\{[^}]*"account_?id"\s*:\s*"(\d+)"/i.exec(body)?.[1];
  const user = readToken((request.headers.authorization ?? '').replace(/^Bearer\s+/i, ''))?.user;
  return { endpoint, ...(customerId && { customerId }), ...(user && { user }) };
}

function ingest(state: DataManagerState, { request, response, body, strike }: Call): void {
  const { user, projectNumber } = authenticate(state, request, 'IngestEvents');
  state.limits.count(projectNumber, 'Write');
  const parsed = readRequest(body);
  if (strike('permission')) throw permissionDenied();
  const now = state.now();
  const valid = validate(parsed, user, now);
  const refused = [...refusedDestination(strike('reject_destination')), ...refusedEvents(strike('reject_events'), valid)];
  if (refused.length > 0) throw invalidArgument(refused);
  const fieldWarnings = warningsOf(valid);
  const requestId = `${parsed.validateOnly ? 'v-' : ''}${randomUUID()}`;
  if (!parsed.validateOnly) store(state, valid, { requestId, now, strike });
  const lost = parsed.validateOnly ? undefined : strike('fail_after_storing');
  if (lost?.parameters.drop === true) return void response.destroy();
  if (lost) throw serverError('INTERNAL');
  sendJson(response, 200, { requestId, ...(fieldWarnings.length > 0 && { fieldWarnings }) });
}

function store(
  state: DataManagerState,
  valid: ValidRequest,
  { requestId, now, strike }: { requestId: string; now: number; strike: Strike },
): void {
  const effects: Effects = {
    failEvents: strike('fail_events'),
    dropEvents: strike('drop_events'),
    duplicateRejected: strike('duplicate_rejected'),
    consentOf: consentSetting(strike('account_consent')),
  };
  const readyAt = now + state.limits.settings.processingSeconds * 1_000;
  const results = processRequest(state.conversions, valid, effects, { requestId, now, readyAt });
  state.addRequest({ requestId, acceptedAt: now, readyAt, results });
}

function consentSetting(fault: Fault | undefined): Effects['consentOf'] {
  if (!fault) return () => undefined;
  const { customerId, consent } = fault.parameters;
  return (id) => (customerId === undefined || customerId === id ? String(consent) : undefined);
}

function refusedDestination(fault: Fault | undefined): FieldViolation[] {
  if (!fault) return [];
  const reason = textOf(fault, 'reason', 'INVALID_CONVERSION_ACTION_ID');
  const description = textOf(fault, 'description', 'Conversion action ID is not valid.');
  return [{ field: textOf(fault, 'field', 'destinations[0].product_destination_id'), description, reason }];
}

function refusedEvents(fault: Fault | undefined, { events }: ValidRequest): FieldViolation[] {
  if (!fault) return [];
  const reason = textOf(fault, 'reason', 'INVALID_EVENT');
  const description = textOf(fault, 'description', 'This event is not valid.');
  return events.flatMap((_, index) => (affects(fault, index) ? [{ field: `events.events[${index}]`, description, reason }] : []));
}

/** The caller must still be able to reach the accounts of the request. */
function retrieve(state: DataManagerState, { request, response, url, strike, strikeContent }: Call): void {
  const { user, projectNumber } = authenticate(state, request, 'RetrieveRequestStatus');
  state.limits.count(projectNumber, 'Read');
  const requestId = url.searchParams.get('requestId') ?? url.searchParams.get('request_id');
  if (!requestId) throw missingRequestId();
  const accepted = strikeContent('forget_request') ? undefined : state.findRequest(requestId);
  if (!accepted) throw invalidRequestId();
  const isAllowed = accepted.results.every(({ destination: { operatingAccount, loginAccount } }) => {
    const operatingId = operatingAccount?.accountId ?? '';
    return canReach(user, loginAccount?.accountId ?? operatingId, operatingId);
  });
  if (!isAllowed || strike('permission')) throw permissionDenied();
  sendJson(response, 200, statusBody(accepted, state.now(), strikeContent));
}
