import { sendJson, type Exchange } from '../router.ts';

const statusNames: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  410: 'FAILED_PRECONDITION',
  412: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
};

/** An error answer in the format of BigQuery and other older Google APIs. */
export class BigQueryError extends Error {
  readonly status: number;
  readonly reason: string;
  readonly location: { location: string; locationType: string } | undefined;
  readonly details: Record<string, unknown>[];

  constructor(
    status: number,
    reason: string,
    message: string,
    more: { location?: BigQueryError['location']; details?: Record<string, unknown>[] } = {},
  ) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.location = more.location;
    this.details = more.details ?? [];
  }

  /** In the format of job errors. */
  get asJobError(): JobError {
    return { reason: this.reason, ...(this.location && { location: this.location.location }), message: this.message };
  }
}

export interface JobError {
  reason: string;
  location?: string;
  message: string;
}

export function sendError({ response }: Exchange, { status, reason, message, location, details }: BigQueryError): void {
  sendJson(response, status, {
    error: {
      code: status,
      message,
      errors: [{ message, domain: 'global', reason, ...location }],
      status: statusNames[status] ?? 'UNKNOWN',
      ...(details.length > 0 && { details }),
    },
  });
}

export function invalid(message: string): BigQueryError {
  return new BigQueryError(400, 'invalid', message);
}

export function notFound(what: string): BigQueryError {
  return new BigQueryError(404, 'notFound', `Not found: ${what}`);
}

export function alreadyExists(what: string): BigQueryError {
  return new BigQueryError(409, 'duplicate', `Already Exists: ${what}`);
}

export function accessDenied(what: string): BigQueryError {
  return new BigQueryError(403, 'accessDenied', `Access Denied: ${what}`);
}

/** For features of BigQuery that the sandbox does not simulate. They always fail explicitly. */
export function notInSandbox(what: string): BigQueryError {
  return new BigQueryError(501, 'notImplemented', `The sandbox does not have ${what}`);
}

/** The HTTP status for an error that a job would report. */
export function statusOf(reason: string): number {
  const statuses: Record<string, number> = {
    notFound: 404,
    accessDenied: 403,
    billingNotEnabled: 403,
    quotaExceeded: 403,
    rateLimitExceeded: 403,
    duplicate: 409,
    backendError: 503,
    internalError: 500,
  };
  return statuses[reason] ?? 400;
}
