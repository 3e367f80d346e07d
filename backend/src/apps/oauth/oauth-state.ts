import { Injectable } from '@nestjs/common';
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { Problem } from '../../core/http/problem.js';
import { Secrets } from '../../core/encryption/secrets.js';

export const STATE_LIFETIME_SECONDS = 600;

const claimsSchema = z.object({
  jti: z.uuid(),
  sub: z.string(),
  organizationId: z.uuid(),
  appId: z.uuid(),
  isReconnect: z.boolean(),
  /** Null: a member started the flow, not the holder of a shared link. */
  shareLinkId: z.uuid().nullable(),
});

/** The claims that the provider returns unchanged. */
export type StateClaims = z.infer<typeof claimsSchema>;

/** Signs states so that they cannot be forged. The database enforces their single use by `jti`. */
@Injectable()
export class OauthStateSigner {
  /** The signing key first, then older keys that are still accepted. */
  private readonly keys: Uint8Array[];

  constructor(secrets: Secrets) {
    this.keys = secrets.deriveKeys('oauth-state');
  }

  sign({ jti, sub, ...claims }: StateClaims): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .setJti(jti)
      .setSubject(sub)
      .setExpirationTime(`${STATE_LIFETIME_SECONDS}s`)
      .sign(this.keys[0] ?? new Uint8Array());
  }

  /** `toleranceSeconds`: extra time for steps that follow the expiry of the state. */
  async verify(state: string, toleranceSeconds = 0): Promise<StateClaims> {
    try {
      const payload = await this.payloadOf(state, toleranceSeconds);
      return claimsSchema.parse(payload);
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw stateExpired();
      throw new Problem(
        'oauth.state_invalid',
        { detail: 'This sign-in was not started in Tributary.', action: 'Start connecting again' },
        { cause: error },
      );
    }
  }

  private async payloadOf(state: string, clockTolerance: number): Promise<JWTPayload> {
    const [first = new Uint8Array(), ...others] = this.keys;
    const verified = (key: Uint8Array) => jwtVerify(state, key, { algorithms: ['HS256'], clockTolerance });
    let verifying = verified(first);
    for (const key of others) {
      verifying = verifying.catch((error: unknown) => {
        if (error instanceof errors.JWSSignatureVerificationFailed) return verified(key);
        throw error;
      });
    }
    return (await verifying).payload;
  }
}

export const stateExpired = (): Problem =>
  new Problem('oauth.state_expired', {
    detail: 'This sign-in was already used or is older than 10 minutes.',
    action: 'Start connecting again',
  });
