/** An error answer of the Google Ads API. `errorCode` has exactly one key, its category. */
export class GoogleAdsError extends Error {
  readonly httpStatus: number;
  readonly status: string;
  readonly category: string;
  readonly code: string;
  readonly extra: {
    trigger?: string;
    fieldPath?: string[];
    details?: Record<string, unknown>;
    isFrontDoor?: boolean;
    isBare?: boolean;
  };

  constructor(kind: ErrorKind, category: string, code: string, message: string, extra: GoogleAdsError['extra'] = {}) {
    super(message);
    [this.httpStatus, this.status] = kinds[kind];
    this.category = category;
    this.code = code;
    this.extra = extra;
  }
}

export type ErrorKind = keyof typeof kinds;

const kinds = {
  invalid: [400, 'INVALID_ARGUMENT'],
  unauthenticated: [401, 'UNAUTHENTICATED'],
  forbidden: [403, 'PERMISSION_DENIED'],
  exhausted: [429, 'RESOURCE_EXHAUSTED'],
  internal: [500, 'INTERNAL'],
  unavailable: [503, 'UNAVAILABLE'],
  deadline: [504, 'DEADLINE_EXCEEDED'],
} as const satisfies Record<string, readonly [number, string]>;

const summaries: Record<string, string> = {
  INVALID_ARGUMENT: 'Request contains an invalid argument.',
  UNAUTHENTICATED:
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  PERMISSION_DENIED: 'The caller does not have permission',
  RESOURCE_EXHAUSTED: 'Resource has been exhausted (e.g. check quota).',
  INTERNAL: 'Internal error encountered.',
  UNAVAILABLE: 'The service is currently unavailable.',
};

export function errorBody(error: GoogleAdsError, version: string, requestId: string): Record<string, unknown> {
  const { trigger, fieldPath, details, isFrontDoor, isBare } = error.extra;
  if (isBare) return { error: { code: error.httpStatus, message: error.message, status: error.status } };
  if (isFrontDoor) return frontDoorBody(error);
  const failure = {
    errorCode: { [error.category]: error.code },
    message: error.message,
    ...(trigger !== undefined && { trigger: { stringValue: trigger } }),
    ...(fieldPath && { location: { fieldPathElements: fieldPath.map((fieldName) => ({ fieldName })) } }),
    ...(details && { details }),
  };
  return {
    error: {
      code: error.httpStatus,
      message: summaries[error.status],
      status: error.status,
      details: [
        { '@type': `type.googleapis.com/google.ads.googleads.${version}.errors.GoogleAdsFailure`, errors: [failure], requestId },
      ],
    },
  };
}

function frontDoorBody(error: GoogleAdsError): Record<string, unknown> {
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: error.code, domain: 'googleapis.com' };
  return { error: { code: error.httpStatus, message: error.message, status: error.status, details: [info] } };
}

export function queryError(code: string, message: string): GoogleAdsError {
  return new GoogleAdsError('invalid', 'queryError', code, message, { fieldPath: ['query'] });
}

export function permissionDenied(): GoogleAdsError {
  const message =
    "User doesn't have permission to access customer. Note: If you're accessing a client customer, the manager's customer id must be set in the 'login-customer-id' header.";
  return new GoogleAdsError('forbidden', 'authorizationError', 'USER_PERMISSION_DENIED', message);
}

export function notEnabled(): GoogleAdsError {
  const message = "The customer account can't be accessed because it is not yet enabled or has been deactivated.";
  return new GoogleAdsError('forbidden', 'authorizationError', 'CUSTOMER_NOT_ENABLED', message);
}
