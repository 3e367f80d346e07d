import { z } from 'zod';
import { ASK_OPERATOR, errorOf, NOTHING_TO_DO, type Consequence } from '../kit/error-table.js';
import type { ConnectorError } from '../kit/errors.js';
import type { GraphAnswer } from './api.js';

export interface GraphFailure {
  status: number;
  code: number | null;
  subcode: number | null;
  isTransient: boolean;
  /** Meta rejected the proof of the app secret. Only its text for developers says so. */
  isProofWrong: boolean;
  retryAfterSeconds: number | null;
  requestId: string | null;
}

/** Meta's texts for users are not read: they are in the user's language, and may contain values of the event. */
const errorBody = z.object({
  error: z.object({
    code: z.number(),
    error_subcode: z.number().optional(),
    is_transient: z.boolean().default(false),
    message: z.string().default(''),
  }),
});

/** Null: the answer is no error. */
export function readFailure({ status, body, requestId, retryAfterSeconds }: GraphAnswer): GraphFailure | null {
  const parsed = errorBody.safeParse(body);
  if (parsed.success) {
    const { code, error_subcode: subcode = null, is_transient: isTransient, message } = parsed.data.error;
    const isProofWrong = message.includes('appsecret_proof');
    return { status, code, subcode, isTransient, isProofWrong, retryAfterSeconds, requestId };
  }
  if (status === 200) return null;
  return { status, code: null, subcode: null, isTransient: false, isProofWrong: false, retryAfterSeconds, requestId };
}

interface Meaning {
  name: string;
  consequence: Consequence;
  message: string;
  action: string;
}

const reconnect: Meaning = {
  name: 'token_refused',
  consequence: 'reconnect',
  message: 'Meta no longer accepts the stored access.',
  action: 'Reconnect with Meta',
};
const permission: Meaning = {
  name: 'permission_denied',
  consequence: 'fix',
  message: 'The connected user cannot send events to this dataset, or did not grant the permission ads_management.',
  action: 'Give the user access to the dataset in Meta Business settings, then reconnect',
};
const dataset: Meaning = {
  name: 'dataset_unknown',
  consequence: 'fix',
  message: 'Meta did not find the dataset, or the connected user has no access to it.',
  action: 'Choose another dataset, or reconnect as a user with access',
};
const throttled: Meaning = {
  name: 'throttled',
  consequence: 'wait',
  message: 'Meta throttles requests.',
  action: NOTHING_TO_DO,
};
const temporary: Meaning = {
  name: 'temporary_error',
  consequence: 'retry',
  message: 'Meta had a temporary error.',
  action: NOTHING_TO_DO,
};
const wrongProof: Meaning = {
  name: 'app_secret_wrong',
  consequence: 'fix',
  message: 'Meta rejected the app secret of this installation.',
  action: 'Ask the operator of this installation to check META_APP_SECRET',
};
const refused: Meaning = {
  name: 'request_refused',
  consequence: 'fix',
  message: 'Meta rejected the request, but not because of its events.',
  action: ASK_OPERATOR,
};

const permissionCodes = new Set([3, 10, 294]);
const throttleCodes = new Set([4, 17, 32, 341, 368, 613]);

/** Sources: Graph API, "Handle errors"; Marketing API, "Error codes" and "Rate limiting". */
function meaningOf({ code, subcode, status, isTransient, isProofWrong }: GraphFailure): Meaning {
  if (isProofWrong) return wrongProof;
  if (code === null) return status === 401 ? reconnect : status === 429 ? throttled : temporary;
  if (code === 190 || code === 102) return reconnect;
  if (throttleCodes.has(code) || (code >= 80_000 && code <= 80_014)) return throttled;
  if (code === 100 && subcode === 33) return dataset;
  if (permissionCodes.has(code) || (code >= 200 && code <= 299)) return permission;
  if (code === 1 || code === 2 || code < 0 || isTransient || status >= 500) return temporary;
  return refused;
}

/** An error that is not in the events. */
export function toConnectorError(failure: GraphFailure): ConnectorError {
  const { name, consequence, message, action } = meaningOf(failure);
  const detail = { code: `meta_conversions.${name}`, message, action, providerRequestId: failure.requestId };
  return errorOf(consequence, detail, failure.retryAfterSeconds);
}

/** After such an error, it is unknown whether Meta stored the events. */
export const isTemporary = (failure: GraphFailure): boolean => meaningOf(failure) === temporary;
