import { preciseNow } from '../clock.ts';
import type { TokenClaims } from './tokens.ts';

/** Consents that users have taken back: one Google account opens several of Google's products. */
export class Revocations {
  /** By 'user clientId': tokens issued up to this moment are void. */
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
