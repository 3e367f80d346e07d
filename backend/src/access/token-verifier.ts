import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { FirebaseAuthError } from 'firebase-admin/auth';
import { errors, type JWTPayload, UnsecuredJWT } from 'jose';
import { ENV, type Env } from '../core/config/env.js';
import { Firebase } from './firebase.js';
import { Problem } from '../core/http/problem.js';
import type { Identity } from './access.decorator.js';

/** Tolerance for clock differences between machines. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Maximum time that a request waits for Google's certificates. The SDK sets no limit. */
const CERTIFICATES_TIMEOUT_MS = 5_000;
/** Verified tokens are cached, because a screen sends several requests concurrently with the same token. */
const CACHE_MS = 60_000;
const MAX_CACHED = 5_000;
/** Firebase's own limit. */
const MAX_UID_LENGTH = 128;

/** Validated claims that every accepted token has. */
interface Claims extends JWTPayload {
  sub: string;
  exp: number;
  iat: number;
  auth_time: number;
}

/** Verifies Firebase ID tokens locally: the SDK fetches the certificates and caches them for their max-age. */
@Injectable()
export class TokenVerifier {
  private readonly verified = new Map<string, { identity: Identity; untilMs: number }>();

  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly firebase: Firebase,
  ) {}

  async verify(token: string): Promise<Identity> {
    const cached = this.verified.get(token);
    if (cached && cached.untilMs > Date.now()) return cached.identity;
    try {
      const claims = checkClaims(await this.payload(token), this.env.FIREBASE_PROJECT_ID);
      const identity = identityOf(claims);
      this.cache(token, identity, claims.exp);
      return identity;
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (isExpired(error)) throw new Problem('auth.expired', 'Your sign-in has expired. Sign in again.', { cause: error });
      throw new Problem('auth.invalid', 'Your sign-in is not valid. Sign in again.', { cause: error });
    }
  }

  /** A verified signature is valid until the token expires. The guard checks for each request whether the user is disabled. */
  private cache(token: string, identity: Identity, expiresAtSeconds: number): void {
    const [oldest] = this.verified.keys();
    if (this.verified.size >= MAX_CACHED && oldest !== undefined) this.verified.delete(oldest);
    this.verified.delete(token);
    this.verified.set(token, { identity, untilMs: Math.min(expiresAtSeconds * 1_000, Date.now() + CACHE_MS) });
  }

  private payload(token: string): Promise<JWTPayload> | JWTPayload {
    const { FIREBASE_AUTH_EMULATOR_HOST, FIREBASE_PROJECT_ID } = this.env;
    if (!FIREBASE_AUTH_EMULATOR_HOST) return withinTime(this.firebase.auth.verifyIdToken(token));
    // The emulator's tokens are unsigned. Settings validation rejects the emulator in production unless the instance is a demo.
    // The SDK is not used, because it looks up the account for each emulator token (base-auth.js, 14.5.1: `checkRevoked ||
    // isEmulator`).
    const issuer = `https://securetoken.google.com/${FIREBASE_PROJECT_ID}`;
    return UnsecuredJWT.decode(token, { issuer, audience: FIREBASE_PROJECT_ID }).payload;
  }
}

/** Checks claims that the SDK does not require: it accepts tokens without exp, iat and auth_time. */
function checkClaims(payload: JWTPayload, projectId: string): Claims {
  const { aud, sub, exp, iat, auth_time: authTime } = payload;
  const latestSeconds = Date.now() / 1_000 + CLOCK_TOLERANCE_SECONDS;
  const isPast = (seconds: unknown): seconds is number => isTime(seconds) && seconds <= latestSeconds;
  if (aud !== projectId) throw new Error('aud does not match the project');
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_UID_LENGTH) throw new Error('sub is missing or malformed');
  if (!isTime(exp)) throw new Error('exp is missing or malformed');
  if (!isPast(iat)) throw new Error('iat is missing, malformed or in the future');
  if (!isPast(authTime)) throw new Error('auth_time is missing, malformed or in the future');
  return { ...payload, sub, exp, iat, auth_time: authTime };
}

const isTime = (seconds: unknown): seconds is number => typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0;

const isExpired = (error: unknown): boolean =>
  error instanceof errors.JWTExpired || (error instanceof FirebaseAuthError && error.code === 'auth/id-token-expired');

async function withinTime<Result>(work: Promise<Result>): Promise<Result> {
  const timer = new AbortController();
  const timeout = setTimeout(CERTIFICATES_TIMEOUT_MS, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`no response with certificates within ${CERTIFICATES_TIMEOUT_MS} ms`);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    timeout.catch(() => undefined);
    timer.abort();
  }
}

function identityOf(claims: Claims): Identity {
  const { sub, email, auth_time: signedInAtSeconds } = claims;
  if (typeof email !== 'string')
    throw new Problem('auth.invalid', 'Your sign-in has no e-mail address. Sign in with an account that has one.');
  return {
    uid: sub,
    email: email.toLowerCase(),
    isEmailVerified: claims['email_verified'] === true,
    hasSecondFactor: hasSecondFactor(claims['firebase']),
    name: typeof claims['name'] === 'string' ? claims['name'] : null,
    picture: typeof claims['picture'] === 'string' ? claims['picture'] : null,
    signedInAt: new Date(signedInAtSeconds * 1_000),
    apiKey: null,
    isSuperAdmin: false,
  };
}

/** Firebase states the kind of second factor, such as `totp`. Without a second factor the claim is missing. */
const hasSecondFactor = (claim: unknown): boolean =>
  typeof claim === 'object' && claim !== null && 'sign_in_second_factor' in claim && Boolean(claim.sign_in_second_factor);
