export type ErrorType = 'invalid_request_error' | 'card_error' | 'api_error' | 'idempotency_error';

interface ErrorDetails {
  code?: string | undefined;
  param?: string | undefined;
  decline_code?: string;
}

/** An error in the format of Stripe's API. */
export class StripeError extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly details: ErrorDetails;

  constructor(status: number, type: ErrorType, message: string, details: ErrorDetails = {}) {
    super(message);
    this.status = status;
    this.type = type;
    this.details = details;
  }

  body(requestId: string): { error: Record<string, unknown> } {
    const { code, param, decline_code } = this.details;
    return {
      error: {
        ...(code && { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }),
        ...(decline_code && { decline_code }),
        message: this.message,
        ...(param && { param }),
        request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}`,
        type: this.type,
      },
    };
  }
}

export function invalid(message: string, param?: string, code?: string): StripeError {
  return new StripeError(400, 'invalid_request_error', message, { param, code });
}

/** Without `param` the id was in the address: 404; with it, in that parameter: 400. */
export function missing(kind: string, id: string, param?: string): StripeError {
  return new StripeError(param ? 400 : 404, 'invalid_request_error', `No such ${kind}: '${id}'`, {
    code: 'resource_missing',
    param: param ?? 'id',
  });
}

export function declined(): StripeError {
  return new StripeError(402, 'card_error', 'Your card was declined.', {
    code: 'card_declined',
    decline_code: 'generic_decline',
  });
}

export function keyMissing(): StripeError {
  const message =
    'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.';
  return new StripeError(401, 'invalid_request_error', message);
}

export function keyInvalid(key: string): StripeError {
  const code = 'api_key_invalid';
  return new StripeError(401, 'invalid_request_error', `Invalid API Key provided: ${key.slice(0, 3)}***`, { code });
}

export function unknownAddress(method: string, path: string): StripeError {
  const message = `Unrecognized request URL (${method}: ${path}). The sandbox simulates only a part of Stripe's API.`;
  return new StripeError(404, 'invalid_request_error', message);
}
