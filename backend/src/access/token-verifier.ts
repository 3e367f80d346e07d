import { Inject, Injectable } from '@nestjs/common';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify, UnsecuredJWT } from 'jose';
import { ENV, type Env } from '../platform/env.js';
import { Problem } from '../platform/problem.js';
import type { Identity } from './access.decorator.js';

/** Clocks of two machines differ by a little. */
const CLOCK_TOLERANCE_SECONDS = 5;
/** A screen asks for several things at once; its token is verified for the first of them. */
const KEPT_MS = 60_000;
const MAX_KEPT = 5_000;

/** Verifies Firebase ID tokens here, without a call per request: the public keys are fetched once and kept by their max-age. */
@Injectable()
export class TokenVerifier {
  private readonly verified = new Map<string, { identity: Identity; untilMs: number }>();
  private readonly keys: ReturnType<typeof createRemoteJWKSet>;
  private readonly expected: { issuer: string; audience: string; clockTolerance: number };

  constructor(@Inject(ENV) private readonly env: Env) {
    this.keys = createRemoteJWKSet(new URL(env.FIREBASE_JWKS_URL));
    this.expected = {
      issuer: `https://securetoken.google.com/${env.FIREBASE_PROJECT_ID}`,
      audience: env.FIREBASE_PROJECT_ID,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    };
  }

  async verify(token: string): Promise<Identity> {
    const kept = this.verified.get(token);
    if (kept && kept.untilMs > Date.now()) return kept.identity;
    try {
      const payload = await this.payload(token);
      const identity = identityOf(payload);
      this.keep(token, identity, payload.exp ?? 0);
      return identity;
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (error instanceof errors.JWTExpired)
        throw new Problem('auth.expired', 'Your sign-in has expired. Sign in again.', { cause: error });
      throw new Problem('auth.invalid', 'Your sign-in is not valid. Sign in again.', { cause: error });
    }
  }

  /** A signature stays true; only time ends it. Whether the person is disabled is asked at every request. */
  private keep(token: string, identity: Identity, expiresAtSeconds: number): void {
    const [oldest] = this.verified.keys();
    if (this.verified.size >= MAX_KEPT && oldest !== undefined) this.verified.delete(oldest);
    this.verified.delete(token);
    this.verified.set(token, { identity, untilMs: Math.min(expiresAtSeconds * 1_000, Date.now() + KEPT_MS) });
  }

  private async payload(token: string): Promise<JWTPayload> {
    // The emulator's tokens are unsigned by design; boot refuses it in production unless the instance is a demo.
    if (this.env.FIREBASE_AUTH_EMULATOR_HOST) return UnsecuredJWT.decode(token, this.expected).payload;
    const { payload } = await jwtVerify(token, this.keys, { ...this.expected, algorithms: ['RS256'] });
    return payload;
  }
}

function identityOf(payload: JWTPayload): Identity {
  const { sub, email } = payload;
  if (!sub || typeof email !== 'string')
    throw new Problem('auth.invalid', 'Your sign-in has no e-mail address. Sign in with one.');
  return {
    uid: sub,
    email: email.toLowerCase(),
    isEmailVerified: payload['email_verified'] === true,
    hasSecondFactor: hasSecondFactor(payload['firebase']),
    name: typeof payload['name'] === 'string' ? payload['name'] : null,
    picture: typeof payload['picture'] === 'string' ? payload['picture'] : null,
    apiKey: null,
    isSuperAdmin: false,
  };
}

/** Firebase names the kind of second factor that was used, such as `totp`; the claim is missing without one. */
const hasSecondFactor = (claim: unknown): boolean =>
  typeof claim === 'object' && claim !== null && 'sign_in_second_factor' in claim && Boolean(claim.sign_in_second_factor);
