import { createHmac, timingSafeEqual } from 'node:crypto';
import { preciseNow } from '../clock.ts';

/** Self-contained tokens, signed with a public key. They survive a restart without storage and protect only invented data. */
const signingKey = 'the sandbox guards nothing';

/** One to two hours, and about 60 days. */
export const shortTokenSeconds = 5_400;
export const longTokenSeconds = 5_183_944;
export const dataAccessSeconds = 90 * 86_400;

export interface TokenClaims {
  user: string;
  clientId: string;
  scopes: string[];
  /** Milliseconds with a fraction, in real time. Faults affect tokens issued before them. */
  issuedAt: number;
  /** Seconds since 1970 in the sandbox's time. */
  expiresAt: number;
  dataAccessExpiresAt: number;
  /** A token created in Events Manager belongs to this dataset and has no other permission. */
  datasetId?: string;
}

export function issueToken(claims: Omit<TokenClaims, 'issuedAt'>): string {
  const payload = Buffer.from(JSON.stringify({ ...claims, issuedAt: preciseNow() })).toString('base64url');
  return `EAA${payload}Z${sign(payload)}`;
}

export function readToken(token: string): TokenClaims | null {
  const payload = token.slice(3, -signatureLength - 1);
  if (!token.startsWith('EAA') || !isEqual(token, `EAA${payload}Z${sign(payload)}`)) return null;
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as TokenClaims;
}

/** The user's app-scoped id. It differs between apps. */
export function appScopedId(user: string, clientId: string): string {
  const number = BigInt(`0x${createHmac('sha256', clientId).update(user).digest('hex').slice(0, 14)}`);
  return `1${number.toString().padStart(16, '0').slice(-16)}`;
}

export function appSecretProof(appSecret: string, token: string): string {
  return createHmac('sha256', appSecret).update(token).digest('hex');
}

export function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const signatureLength = 43;

function sign(text: string): string {
  return createHmac('sha256', signingKey).update(text).digest('base64url');
}
