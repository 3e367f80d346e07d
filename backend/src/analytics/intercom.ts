import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import type { Identity } from '../access/access.decorator.js';
import { ENV, type Env } from '../platform/env.js';
import type { IntercomHashAnswer } from './analytics.dto.js';

/** Proves to the messenger who the caller is. Whoever gets one of these can speak as that person: nobody gets another's. */
@Injectable()
export class Intercom {
  constructor(@Inject(ENV) private readonly env: Env) {}

  /** The address is left out until it is verified: support would otherwise write to whoever it belongs to. */
  async proof({ uid, email, isEmailVerified }: Identity): Promise<IntercomHashAnswer> {
    const secret = this.env.INTERCOM_SECRET;
    if (!secret) return { userHash: null, userJwt: null };
    const userJwt = await new SignJWT({ user_id: uid, ...(isEmailVerified ? { email } : {}) })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(secret));
    return { userHash: createHmac('sha256', secret).update(uid).digest('hex'), userJwt };
  }
}
