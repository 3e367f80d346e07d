import { createHmac, generateKeyPairSync, sign as rsaSign, timingSafeEqual, type KeyObject } from 'node:crypto';
import { preciseNow } from '../clock.ts';

/** Self-contained tokens, signed with a public key. They survive a restart without storage and protect only invented data. */
const signingKey = 'the sandbox guards nothing';

/** Created on first use, because it takes a tenth of a second. */
let idTokenKey: KeyObject | undefined;

export const accessTokenSeconds = 3_599;

export interface TokenClaims {
  kind: 'access' | 'refresh';
  user: string;
  clientId: string;
  scopes: string[];
  /** Milliseconds with a fraction. */
  issuedAt: number;
}

const prefixes = { access: 'ya29.', refresh: '1//' } as const;

export function issueToken(claims: Omit<TokenClaims, 'issuedAt'>): string {
  const payload = Buffer.from(JSON.stringify({ ...claims, issuedAt: preciseNow() })).toString('base64url');
  return `${prefixes[claims.kind]}${payload}.${sign(payload)}`;
}

export function readToken(token: string): TokenClaims | null {
  const match = /^(?:ya29\.|1\/\/)([\w-]+)\.([\w-]+)$/.exec(token);
  const [, payload, signature] = match ?? [];
  if (!payload || !signature || !isEqual(signature, sign(payload))) return null;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as TokenClaims;
  return token.startsWith(prefixes[claims.kind]) ? claims : null;
}

/** An ID token signed with RS256 like Google's, with an unpublished key of this process. */
export function issueIdToken(clientId: string, email: string): string {
  const now = Math.floor(Date.now() / 1000);
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = { iss: 'https://accounts.google.com', aud: clientId, iat: now, exp: now + 3_600, ...identity(email) };
  const body = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  idTokenKey ??= generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  return `${body}.${rsaSign('sha256', Buffer.from(body), idTokenKey).toString('base64url')}`;
}

export function identity(email: string): { sub: string; email: string; email_verified: true } {
  const sub = BigInt(`0x${createHmac('sha256', 'sub').update(email).digest('hex').slice(0, 16)}`).toString();
  return { sub, email, email_verified: true };
}

/** Signs other values that must return unchanged, such as page tokens. */
export function sign(text: string): string {
  return createHmac('sha256', signingKey).update(text).digest('base64url');
}

export function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
