/** The OAuth code flow, as each platform implements it. The apps module stores and locks the tokens. */

export interface Scope {
  scope: string;
  /** Shown before the consent page, and when the user did not grant the scope. */
  reason: string;
  isRequired: boolean;
}

export interface ExternalUser {
  /** The platform's own id of the user. It does not change with the email address. */
  id: string;
  email: string;
}

export interface Authorization {
  url: string;
  /** Stored encrypted until the code arrives; empty if the platform has no PKCE. */
  codeVerifier: string;
}

export interface StoredToken {
  accessToken: string;
  /** Null if the access token itself is extended. */
  refreshToken: string | null;
}

export interface TokenGrant {
  accessToken: string;
  expiresAt: Date;
  /** Null: the answer contains none, and the current one stays valid. */
  refreshToken: string | null;
  /** When the user must sign in again, whatever is refreshed; null: unknown or never. */
  signInAgainAt: Date | null;
  grantedScopes: string[];
  /** Null when the answer does not contain it, as in refreshes. */
  externalUser: ExternalUser | null;
}

export interface OAuthFlow {
  scopes: Scope[];
  /** An access token that expires within this time is refreshed before use. */
  refreshMarginMs: number;
  /** The consent URL. `loginHint`: the user who connected the app before, for a reconnect. */
  startAuthorization(request: { redirectUri: string; state: string; loginHint?: string }): Promise<Authorization>;
  /** Exchanges the code for tokens. The caller has already verified `state`. */
  exchangeCode(request: { code: string; redirectUri: string; codeVerifier: string }, signal: AbortSignal): Promise<TokenGrant>;
  /** Throws ReconnectNeeded if the user must act, RetryLater for transient errors. */
  refresh(token: StoredToken, signal: AbortSignal): Promise<TokenGrant>;
  /** Revokes the access at the platform. An already invalid token counts as success. */
  revoke(token: StoredToken, signal: AbortSignal): Promise<void>;
}

/** Required scopes that the user did not grant on the consent page. */
export function missingScopes(scopes: Scope[], grantedScopes: string[]): string[] {
  return scopes.filter(({ scope, isRequired }) => isRequired && !grantedScopes.includes(scope)).map(({ scope }) => scope);
}
