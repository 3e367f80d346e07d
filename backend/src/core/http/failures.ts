import type { Failure } from './failure.dto.js';
import { Problem, type ProblemCode, PROBLEMS } from './problem.js';

/** The shape of the connectors' errors; the platform does not know the connectors themselves. */
interface ConnectorFailure extends Error {
  failureClass: string;
  code: string;
  action: string;
  providerRequestId: string | null;
  /** What a call answers, where the error has a code of its own in the catalogue. */
  problemCode?: string;
  /** The field of the request that is wrong. */
  field?: string;
}

const isConnectorFailure = (error: unknown): error is ConnectorFailure =>
  error instanceof Error && 'failureClass' in error && 'action' in error;

/** What people see of an error. One of our own shows nothing of itself but that it is ours. */
export function toFailure(error: unknown): Failure {
  if (isConnectorFailure(error)) {
    const { failureClass, code, message, action, providerRequestId } = error;
    return { class: failureClass, code, message, action, providerRequestId };
  }
  return {
    class: 'internal',
    code: 'internal',
    message: 'Something went wrong on our side. It has been reported.',
    action: 'Try again later',
    providerRequestId: null,
  };
}

const isProblemCode = (code: string | undefined): code is ProblemCode => code !== undefined && code in PROBLEMS;

/** A connector's error, met while somebody waits for an answer. */
export function asProblem(error: unknown): unknown {
  if (!isConnectorFailure(error)) return error;
  const errors = error.field ? [{ field: error.field, message: error.message }] : undefined;
  const detail = { detail: error.message, action: error.action, errors };
  if (isProblemCode(error.problemCode)) return new Problem(error.problemCode, detail, { cause: error });
  if (error.failureClass === 'auth') return new Problem('app.not_connected', detail, { cause: error });
  const isPassing = error.failureClass === 'transient' || error.failureClass === 'quota';
  return new Problem(isPassing ? 'provider.unavailable' : 'provider.failed', detail, { cause: error });
}
