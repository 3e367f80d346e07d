/** An error answer of the Microsoft Advertising API. `Type` gives the type of fault. */
export class ApiFault extends Error {
  readonly httpStatus: number;
  readonly code: number;
  readonly errorCode: string;
  readonly detail: string | null;

  constructor(httpStatus: number, code: number, errorCode: string, message: string, detail: string | null = null) {
    super(message);
    this.httpStatus = httpStatus;
    this.code = code;
    this.errorCode = errorCode;
    this.detail = detail;
  }
}

/** Errors of the caller are AdApiFaultDetail, errors of the operation ApiFaultDetail. */
export function faultBody(fault: ApiFault, trackingId: string): Record<string, unknown> {
  const { code, errorCode, message, detail } = fault;
  if (code < 200) {
    return {
      TrackingId: trackingId,
      Type: 'AdApiFaultDetail',
      Errors: [{ Code: code, Detail: detail, ErrorCode: errorCode, Message: message }],
    };
  }
  return {
    TrackingId: trackingId,
    Type: 'ApiFaultDetail',
    BatchErrors: [],
    OperationErrors: [{ Code: code, Details: detail, ErrorCode: errorCode, Message: message }],
  };
}

export function internalError(httpStatus: 500 | 503): ApiFault {
  return new ApiFault(httpStatus, 0, 'InternalError', 'An internal error has occurred.');
}

export function invalidCredentials(detail: 'AccountInactive' | 'InvalidAccessToken' | 'UserNotFound' | null): ApiFault {
  const message =
    'Authentication failed. Either supplied credentials are invalid or the account is inactive. See Detail for the reason.';
  return new ApiFault(401, 105, 'InvalidCredentials', message, detail);
}

export function notAuthorized(): ApiFault {
  return new ApiFault(403, 106, 'UserIsNotAuthorized', 'The user is not authorized to perform this action.');
}

export function tokenExpired(): ApiFault {
  const message = 'Authentication token expired. Please renew it or obtain a new token.';
  return new ApiFault(401, 109, 'AuthenticationTokenExpired', message);
}

export function missingHeaders(names: string[]): ApiFault {
  const message = 'One or more required header elements are missing from the request.';
  return new ApiFault(400, 116, 'RequestMissingHeaders', message, names.join(', '));
}

/** A body that is not a valid request: a wrong structure or an unknown enum value. */
export function unreadableRequest(detail: string): ApiFault {
  return new ApiFault(400, 100, 'NullRequest', 'The request message is null.', detail);
}

export function reportFault(code: number, errorCode: string, message: string, detail: string | null = null): ApiFault {
  return new ApiFault(400, code, `ReportingService${errorCode}`, message, detail);
}
