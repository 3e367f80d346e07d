export interface FieldViolation {
  field: string;
  description: string;
  reason?: string;
}

const kinds = {
  invalid: [400, 'INVALID_ARGUMENT'],
  unauthenticated: [401, 'UNAUTHENTICATED'],
  forbidden: [403, 'PERMISSION_DENIED'],
  aborted: [409, 'ABORTED'],
  exhausted: [429, 'RESOURCE_EXHAUSTED'],
  internal: [500, 'INTERNAL'],
  unknown: [500, 'UNKNOWN'],
  unavailable: [503, 'UNAVAILABLE'],
  deadline: [504, 'DEADLINE_EXCEEDED'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorKind = keyof typeof kinds;

type Detail = Record<string, unknown>;

/** An error answer: google.rpc.Status with typed details. */
export class DataManagerError extends Error {
  readonly httpStatus: number;
  readonly status: string;
  /** Builds the details. Errors of the service itself contain the id of the request, those of Google's front end do not. */
  readonly details: (requestId: string) => Detail[];

  constructor(kind: ErrorKind, message: string, details: (requestId: string) => Detail[]) {
    super(message);
    [this.httpStatus, this.status] = kinds[kind];
    this.details = details;
  }
}

/** `hasShortPaths`: violations of events name the event only, as `events[0]`. Both forms were seen from the real API. */
export function errorBody(error: DataManagerError, requestId: string, hasShortPaths: boolean): Record<string, unknown> {
  const details = error.details(requestId).map((detail) => (hasShortPaths ? withShortPaths(detail) : detail));
  return {
    error: {
      code: error.httpStatus,
      message: error.message,
      status: error.status,
      ...(details.length > 0 && { details }),
    },
  };
}

function withShortPaths(detail: Detail): Detail {
  if (!Array.isArray(detail.fieldViolations)) return detail;
  const violations = detail.fieldViolations as FieldViolation[];
  const shorten = (field: string): string => field.replace(/^events\.events(\[\d+\]).*$/, 'events$1');
  return { ...detail, fieldViolations: violations.map((violation) => ({ ...violation, field: shorten(violation.field) })) };
}

export const service = 'datamanager.googleapis.com';
const typeOf = (name: string): string => `type.googleapis.com/google.rpc.${name}`;

/** An error of the service: ErrorInfo and RequestInfo, both with the id of the request. */
export function serviceError(kind: ErrorKind, reason: string, message: string, violations?: FieldViolation[]): DataManagerError {
  return new DataManagerError(kind, message, (requestId) => [
    { '@type': typeOf('ErrorInfo'), reason, domain: service, metadata: { requestId } },
    { '@type': typeOf('RequestInfo'), requestId },
    ...(violations ? [{ '@type': typeOf('BadRequest'), fieldViolations: violations }] : []),
  ]);
}

export function invalidArgument(violations: FieldViolation[]): DataManagerError {
  return serviceError('invalid', 'INVALID_ARGUMENT', 'There was a problem with the request.', violations);
}

export function missing(field: string): FieldViolation {
  return { field, description: 'Required field is missing.', reason: 'REQUIRED_FIELD_MISSING' };
}

/** JSON that does not fit the protocol buffers is rejected before the service sees it, in the general format of Google APIs. */
export function unreadable(violations: FieldViolation[]): DataManagerError {
  const message = violations.map(({ description }) => description).join('\n');
  return new DataManagerError('invalid', message, () => [{ '@type': typeOf('BadRequest'), fieldViolations: violations }]);
}

export function permissionDenied(): DataManagerError {
  const message = 'The user does not have permission or the resource is not found.';
  return serviceError('forbidden', 'PERMISSION_DENIED', message);
}

/** An error of the front end of Google APIs. */
export function frontError(kind: ErrorKind, reason: string, message: string, metadata: Record<string, string>): DataManagerError {
  const info = { '@type': typeOf('ErrorInfo'), reason, domain: 'googleapis.com', metadata: { service, ...metadata } };
  return new DataManagerError(kind, message, () => [info]);
}

/** The API is not enabled in the Google Cloud project of the OAuth client. */
export function serviceDisabled(projectNumber: string): DataManagerError {
  const activationUrl = `https://console.cloud.google.com/apis/api/${service}/overview?project=${projectNumber}`;
  const message = `Data Manager API has not been used in project ${projectNumber} before or it is disabled. Enable it by visiting ${activationUrl} then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.`;
  const metadata = {
    consumer: `projects/${projectNumber}`,
    service,
    containerInfo: projectNumber,
    serviceTitle: 'Data Manager API',
    activationUrl,
  };
  return new DataManagerError('forbidden', message, () => [
    { '@type': typeOf('ErrorInfo'), reason: 'SERVICE_DISABLED', domain: 'googleapis.com', metadata },
    { '@type': typeOf('LocalizedMessage'), locale: 'en-US', message },
    { '@type': typeOf('Help'), links: [{ description: 'Google API Console API activation', url: activationUrl }] },
  ]);
}

export interface QuotaLimit {
  name: string;
  unit: string;
  value: number;
}

/** Quotas are checked by the front end of Google APIs. */
export function quotaExceeded({ name, unit, value }: QuotaLimit, projectNumber: string): DataManagerError {
  const metric = `${service}/ingestion_service_requests`;
  const message = `Quota exceeded for quota metric 'Ingestion service requests' and limit 'Ingestion service requests ${unit}' of service '${service}' for consumer 'project_number:${projectNumber}'.`;
  return frontError('exhausted', 'RATE_LIMIT_EXCEEDED', message, {
    consumer: `projects/${projectNumber}`,
    quota_limit: name,
    quota_limit_value: String(value),
    quota_location: 'global',
    quota_metric: metric,
    quota_unit: unit === 'per minute' ? '1/min/{project}' : '1/d/{project}',
  });
}
