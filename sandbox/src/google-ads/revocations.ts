import { preciseNow } from '../clock.ts';
import type { TokenClaims } from './tokens.ts';

/** Revoked consents. One Google account is used for several Google products. */
export class Revocations {
  /** By 'user clientId': tokens issued before this time are invalid. */
  readonly revokedAt: Record<string, number> = {};

  add(claims: TokenClaims): void {
    this.revokedAt[keyOf(claims)] = preciseNow();
  }

  isRevoked(claims: TokenClaims): boolean {
    return claims.issuedAt <= (this.revokedAt[keyOf(claims)] ?? 0);
  }
}

function keyOf({ user, clientId }: TokenClaims): string {
  return `${user} ${clientId}`;
}
