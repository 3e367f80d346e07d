import { randomUUID } from 'node:crypto';

/** An error of the token endpoint, in the words of the Microsoft identity platform. */
export class OAuthError extends Error {
  readonly status: number;
  readonly error: string;
  readonly code: number;

  constructor(status: number, error: string, code: number, description: string) {
    super(description);
    this.status = status;
    this.error = error;
    this.code = code;
  }

  body(now: Date): Record<string, unknown> {
    const [traceId, correlationId] = [randomUUID(), randomUUID()];
    const timestamp = `${now.toISOString().slice(0, 19).replace('T', ' ')}Z`;
    const trail = `Trace ID: ${traceId} Correlation ID: ${correlationId} Timestamp: ${timestamp}`;
    return {
      error: this.error,
      error_description: `AADSTS${this.code}: ${this.message} ${trail}`,
      error_codes: [this.code],
      timestamp,
      trace_id: traceId,
      correlation_id: correlationId,
    };
  }
}

/** The same text for used, revoked and expired tokens, and for scopes that were never granted. */
export function invalidGrant(): OAuthError {
  const words =
    'The request was denied because one or more scopes requested are unauthorized or expired. The user must first sign in and grant the client application access to the requested scope.';
  return new OAuthError(400, 'invalid_grant', 70_000, words);
}

export function interactionRequired(): OAuthError {
  const words =
    'Due to a configuration change made by your administrator, or because you moved to a new location, you must use multi-factor authentication to access.';
  return new OAuthError(400, 'interaction_required', 50_076, words);
}
