/** What an OAuth code flow is to the product. Each platform's door implements it; tokens are stored and locked by the apps room. */

export interface Scope {
  scope: string;
  /** Shown before the consent page, and when the scope was not granted. */
  reason: string;
  isRequired: boolean;
}

export interface ExternalUser {
  /** The platform's own id of the user, which outlives a change of address. */
  id: string;
  email: string;
}

export interface Authorization {
  url: string;
  /** To be kept, encrypted, until the code comes back; empty where the platform knows no PKCE. */
  codeVerifier: string;
}

export interface StoredToken {
  accessToken: string;
  /** Null where the access token itself is extended. */
  refreshToken: string | null;
}

export interface TokenGrant {
  accessToken: string;
  expiresAt: Date;
  /** Null: the answer holds none, and the one there is stays good. */
  refreshToken: string | null;
  /** When a person must sign in again whatever is refreshed; null: not known, or never. */
  signInAgainAt: Date | null;
  grantedScopes: string[];
  /** Null when the answer does not say, as refreshes may. */
  externalUser: ExternalUser | null;
}

export interface OauthDoor {
  scopes: Scope[];
  /** An access token with less than this left is refreshed before it is used. */
  refreshMarginMs: number;
  /** Where to send the user. `loginHint`: who connected the app before, when it is reconnected. */
  startAuthorization(request: { redirectUri: string; state: string; loginHint?: string }): Promise<Authorization>;
  /** Trades the code of the landing page for tokens. That `state` is ours has been checked before. */
  exchangeCode(request: { code: string; redirectUri: string; codeVerifier: string }, signal: AbortSignal): Promise<TokenGrant>;
  /** Throws ReconnectNeeded when only a person can help, RetryLater when it may pass. */
  refresh(token: StoredToken, signal: AbortSignal): Promise<TokenGrant>;
  /** Withdraws the access at the platform; one that is dead already is what was wanted. */
  revoke(token: StoredToken, signal: AbortSignal): Promise<void>;
}

/** Required scopes that the user unticked on the consent page. */
export function missingScopes(scopes: Scope[], grantedScopes: string[]): string[] {
  return scopes.filter(({ scope, isRequired }) => isRequired && !grantedScopes.includes(scope)).map(({ scope }) => scope);
}
