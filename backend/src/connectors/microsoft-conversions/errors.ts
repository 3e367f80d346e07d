import { ASK_OPERATOR, errorOf, NOTHING_TO_DO, type Consequence } from '../kit/error-table.js';
import { CorruptAnswer, type ConnectorError } from '../kit/errors.js';
import type { CallFailure } from './campaign-api.js';

interface Meaning {
  consequence: Consequence;
  message: string;
  action: string;
  waitSeconds?: number;
}

const CALL_RATE_SECONDS = 60;

const reconnect: Meaning = {
  consequence: 'reconnect',
  message: 'Microsoft Advertising no longer accepts the stored access.',
  action: 'Reconnect with Microsoft',
};
/** Another token of the same user cannot help. */
const developerToken: Meaning = {
  consequence: 'fix',
  message: "Microsoft Advertising rejected this installation's developer token. It may belong to another environment.",
  action: 'Ask the operator of this installation to check MICROSOFT_DEVELOPER_TOKEN',
};
const inactive: Meaning = {
  consequence: 'fix',
  message: 'The ad account of the goal is not active.',
  action: 'Activate the account in Microsoft Advertising',
};
const permission: Meaning = {
  consequence: 'fix',
  message: 'The connected Microsoft user cannot send conversions to this ad account.',
  action: 'Give the user access in Microsoft Advertising',
};
const throttled: Meaning = {
  consequence: 'wait',
  message: 'Microsoft Advertising throttles requests.',
  action: NOTHING_TO_DO,
  waitSeconds: CALL_RATE_SECONDS,
};
const temporary: Meaning = {
  consequence: 'retry',
  message: 'Microsoft Advertising had a temporary error.',
  action: NOTHING_TO_DO,
};
const refused: Meaning = {
  consequence: 'fix',
  message: 'Microsoft Advertising rejected the request, but not because of one of its events.',
  action: ASK_OPERATOR,
};

/** Source: guides/operation-error-codes. */
function meaningOf({ code, status, isAccountInactive, isTokenRenewed }: CallFailure): Meaning {
  if (isAccountInactive) return inactive;
  if (code === 105) return isTokenRenewed ? developerToken : reconnect;
  if (code === 109 || (code !== null && code >= 120 && code <= 126) || code === 108) return reconnect;
  if (code === 117 || status === 429) return throttled;
  if (code === 106) return permission;
  if (code === 0 || status >= 500) return temporary;
  if (code === null) return status === 401 ? reconnect : status === 403 ? permission : refused;
  return refused;
}

export function toConnectorError(failure: CallFailure): ConnectorError {
  const { consequence, message, action, waitSeconds } = meaningOf(failure);
  const code = `microsoft_conversions.${failure.symbol ?? `http_${failure.status}`}`;
  const detail = { code, message, action, providerRequestId: failure.requestId };
  return errorOf(consequence, detail, failure.retryAfterSeconds ?? waitSeconds ?? null);
}

/** After such an error, it is unknown whether Microsoft applied the rows. */
export const isTemporary = (failure: CallFailure): boolean => meaningOf(failure) === temporary;

export const unexpectedAnswer = (what: string): CorruptAnswer =>
  new CorruptAnswer({
    code: 'microsoft_conversions.unexpected_answer',
    message: `Microsoft Advertising sent ${what} in an unexpected format.`,
    action: NOTHING_TO_DO,
  });
