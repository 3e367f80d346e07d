import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;

/** AES-256-GCM as `v<key version>.<iv>.<tag>.<body>`. `bound` is the additional authenticated data; decryption needs the same. */
export function encrypt(key: Buffer, plain: Buffer, bound: Buffer, version = 1): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(bound);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return [`v${version}`, ...[iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))].join('.');
}

export function decrypt(key: Buffer, envelope: string, bound: Buffer): Buffer {
  const [, iv, tag, body] = envelope.split('.');
  if (versionOf(envelope) === null || !iv || !tag || body === undefined) throw new Error('not a valid envelope');
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url')).setAAD(bound);
  decipher.setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]);
}

/** Key version of an envelope; null when the text is not an envelope. */
export function versionOf(envelope: string): number | null {
  const version = /^v([1-9]\d{0,8})\./.exec(envelope)?.[1];
  return version === undefined ? null : Number(version);
}
