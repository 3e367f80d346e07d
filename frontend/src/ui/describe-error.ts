import { isRecord } from '../lib/is-record';

export interface ErrorDescription {
  kind: string;
  message: string;
  action: string | null;
  requestId: string | null;
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function kindOf(error: Error, status: unknown): string {
  if (error.name === 'NetworkProblem') return 'Network';
  if (typeof status !== 'number') return 'Error';
  if (status >= 500) return 'Server';
  return status === 403 ? 'Permission' : status === 404 ? 'Not found' : 'Refused';
}

/** What a screen shows of any thrown value: its class, its words, the one action and the request it came from. */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { kind: 'Error', message: 'An unexpected error occurred', action: null, requestId: null };
  const details: Record<string, unknown> = isRecord(error) ? error : {};
  return {
    kind: kindOf(error, details.status),
    message: error.message || 'An unexpected error occurred',
    action: text(details.action),
    requestId: text(details.requestId),
  };
}
