import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { preciseNow } from '../clock.ts';

/**
 * Tokens describe themselves and are signed with a key that is no secret: they survive a restart of the sandbox without
 * being stored, and protect nothing but invented numbers.
 */
const signingKey = 'the sandbox guards nothing';

export const accessTokenSeconds = 3_600;

export interface TokenClaims {
  kind: 'access' | 'refresh';
  /** Tells refresh tokens apart, each of which can be used once. */
  id: string;
  user: string;
  clientId: string;
  scopes: string[];
  /** Milliseconds with a fraction. */
  issuedAt: number;
}

const prefixes = { access: 'EwB', refresh: 'M.C5' } as const;

export function issueToken(claims: Pick<TokenClaims, 'kind' | 'user' | 'clientId' | 'scopes'>): string {
  const content = { ...claims, id: randomUUID(), issuedAt: preciseNow() };
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${prefixes[claims.kind]}.${payload}.${sign(payload)}`;
}

export function readToken(token: string): TokenClaims | null {
  const [, payload, signature] = /^(?:EwB|M\.C5)\.([\w-]+)\.([\w-]+)$/.exec(token) ?? [];
  if (!payload || !signature || !isEqual(signature, sign(payload))) return null;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as TokenClaims;
  return token.startsWith(`${prefixes[claims.kind]}.`) ? claims : null;
}

/** Signs anything else that must come back unchanged, such as download addresses. */
export function sign(text: string): string {
  return createHmac('sha256', signingKey).update(text).digest('base64url');
}

export function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
