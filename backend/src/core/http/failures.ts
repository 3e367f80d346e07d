import type { Failure } from './failure.dto.js';
import { Problem, type ProblemCode, PROBLEMS } from './problem.js';
import { z } from 'zod';
import { jsonColumn } from '../database/json-column.js';

/** The shape of a connector's error. Code in `core` must not import the connectors. */
interface ConnectorFailure extends Error {
  failureClass: string;
  code: string;
  action: string;
  providerRequestId: string | null;
  /** Code in the problem catalog, when the error has its own. */
  problemCode?: string;
  /** The invalid field of the request. */
  field?: string;
  /** Seconds to wait before a retry, as the provider asks for. */
  retryAfterSeconds?: number | null;
}

export const isConnectorFailure = (error: unknown): error is ConnectorFailure =>
  error instanceof Error && 'failureClass' in error && 'action' in error;

/** The part of an error that users may see. Internal errors show no details. */
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

/** Converts a connector's error to the problem that an API request returns. */
export function asProblem(error: unknown): unknown {
  if (!isConnectorFailure(error)) return error;
  const errors = error.field ? [{ field: error.field, message: error.message }] : undefined;
  const detail = { detail: error.message, action: error.action, errors };
  if (isProblemCode(error.problemCode)) return new Problem(error.problemCode, detail, { cause: error });
  if (error.failureClass === 'auth') return new Problem('app.not_connected', detail, { cause: error });
  if (error.failureClass !== 'transient' && error.failureClass !== 'quota')
    return new Problem('provider.failed', detail, { cause: error });
  const retryAfterSeconds = waitOf(error.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS);
  return new Problem('provider.unavailable', { ...detail, retryAfterSeconds }, { cause: error });
}

const DEFAULT_WAIT_SECONDS = 60;
/** The largest value of a Retry-After header in the OpenAPI document. */
const MAX_WAIT_SECONDS = 86_400;

/** A provider may ask for a part of a second, or for none. */
const waitOf = (seconds: number): number => Math.min(Math.max(Math.ceil(seconds), 1), MAX_WAIT_SECONDS);

/** Columns with the cause of a failure. */
export const failureColumn = jsonColumn<Failure>(
  z.object({
    class: z.string(),
    code: z.string(),
    message: z.string(),
    action: z.string(),
    providerRequestId: z.string().nullable(),
  }),
);
