import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { preciseNow } from '../clock.ts';

/** Self-contained tokens, signed with a public key. They survive a restart without storage and protect only invented data. */
const signingKey = 'the sandbox guards nothing';

export const accessTokenSeconds = 3_600;

export interface TokenClaims {
  kind: 'access' | 'refresh';
  /** Identifies refresh tokens, which can be used only once. */
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

/** Signs other values that must return unchanged, such as download addresses. */
export function sign(text: string): string {
  return createHmac('sha256', signingKey).update(text).digest('base64url');
}

export function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
