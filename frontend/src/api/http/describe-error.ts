import { isRecord } from '~/lib/is-record';

export interface ErrorDescription {
  kind: string;
  /** A fixed text of the specification, shown above the message. */
  title: string | null;
  message: string;
  action: string | null;
  requestId: string | null;
  /** The label of the link to the subscription page when a plan or a larger plan is required; otherwise null. */
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
  return status === 403 ? 'Permission' : status === 404 ? 'Not found' : 'Rejected';
}

function planActionOf({ status, code }: Record<string, unknown>): string | null {
  if (status !== PAYMENT_REQUIRED) return null;
  return code === 'subscription.limit_reached' ? 'See the plan' : 'Choose a plan';
}

/** The description of a thrown value for a screen: its kind, message, action and request id. */
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
