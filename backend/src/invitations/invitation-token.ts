import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;

/** Only the mail contains the token. The database stores its hash. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex');

export const isToken = (token: string | undefined, hash: string): boolean =>
  token !== undefined && timingSafeEqual(Buffer.from(hashOfToken(token), 'hex'), Buffer.from(hash, 'hex'));
