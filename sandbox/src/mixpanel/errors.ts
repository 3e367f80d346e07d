const statusTexts: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
};

/** An error answer. /import returns code and status, the query and export hosts the failed request. */
export class MixpanelError extends Error {
  readonly httpStatus: number;
  readonly extra: Record<string, unknown>;

  constructor(httpStatus: number, message: string, extra: Record<string, unknown> = {}) {
    super(message);
    this.httpStatus = httpStatus;
    this.extra = extra;
  }
}

/** An error answer of text without JSON. */
export class PlainError extends MixpanelError {}

export function importErrorBody(error: MixpanelError): Record<string, unknown> {
  return { code: error.httpStatus, error: error.message, ...error.extra, status: statusTexts[error.httpStatus] ?? 'Error' };
}

export function queryErrorBody(error: MixpanelError, request: string): Record<string, unknown> {
  return { request, error: error.message, ...error.extra };
}

/** Mixpanel's gateways answer in HTML. */
export function isFromGateway(error: MixpanelError): boolean {
  return error.httpStatus === 502 || error.httpStatus === 503;
}
