import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import type { Identity } from '../access/index.js';
import { ENV, type Env } from '../core/config/env.js';
import type { IntercomHashAnswer } from './analytics.dto.js';

/** Signs the caller's identity for the messenger. A proof allows messages as that person, so callers get only their own. */
@Injectable()
export class Intercom {
  constructor(@Inject(ENV) private readonly env: Env) {}

  /** Omits an unverified address: it may belong to another person, who would receive the support conversation. */
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
