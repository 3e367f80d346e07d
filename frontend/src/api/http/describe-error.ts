import { isRecord } from '~/lib/is-record';

export interface ErrorDescription {
  kind: string;
  /** A fixed text of the product that stands above the reason. */
  title: string | null;
  message: string;
  action: string | null;
  requestId: string | null;
  /** A plan, or a larger one, is what is missing: words of the link to its page. Null for everything else. */
  planAction: string | null;
}

const PAYMENT_REQUIRED = 402;

const UNEXPECTED = 'An unexpected error occurred';

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function kindOf(error: Error, status: unknown): string {
  if (error.name === 'NetworkProblem') return 'Network';
  if (typeof status !== 'number') return 'Error';
  if (status >= 500) return 'Server';
  if (status === PAYMENT_REQUIRED) return 'Plan';
  return status === 403 ? 'Permission' : status === 404 ? 'Not found' : 'Refused';
}

function planActionOf({ status, code }: Record<string, unknown>): string | null {
  if (status !== PAYMENT_REQUIRED) return null;
  return code === 'subscription.limit_reached' ? 'See the plan' : 'Choose a plan';
}

/** What a screen shows of any thrown value: its class, its words, the one action and the request it came from. */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error))
    return { kind: 'Error', title: null, message: UNEXPECTED, action: null, requestId: null, planAction: null };
  const details: Record<string, unknown> = isRecord(error) ? error : {};
  return {
    kind: kindOf(error, details.status),
    title: text(details.documentedText),
    message: error.message || UNEXPECTED,
    action: text(details.action),
    requestId: text(details.requestId),
    planAction: planActionOf(details),
  };
}
