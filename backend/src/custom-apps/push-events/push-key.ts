import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;
const ID_BYTES = 12;
const HINT_CHARACTERS = 4;
/** Compared if there is no key, so that the response takes the same time. */
const NO_KEY = Buffer.alloc(32);

const digest = (key: string): Buffer => createHash('sha256').update(key).digest();

export function newPushKey(): { key: string; keyHash: string; keyHint: string } {
  const key = `trp_${randomBytes(KEY_BYTES).toString('base64url')}`;
  return { key, keyHash: digest(key).toString('hex'), keyHint: key.slice(-HINT_CHARACTERS) };
}

export const newPushKeyId = (): string => randomBytes(ID_BYTES).toString('base64url');

/** In constant time, for any input and with or without a key. */
export function isPushKey(given: string, keyHash: string | null): boolean {
  const isSame = timingSafeEqual(digest(given), keyHash === null ? NO_KEY : Buffer.from(keyHash, 'hex'));
  return isSame && keyHash !== null;
}
