import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;

/** AES-256-GCM, as `v<version of the key>.<iv>.<tag>.<body>`. `bound` is not in it, and must be the same to open it. */
export function encrypt(key: Buffer, plain: Buffer, bound: Buffer, version = 1): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(bound);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return [`v${version}`, ...[iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))].join('.');
}

export function decrypt(key: Buffer, envelope: string, bound: Buffer): Buffer {
  const [, iv, tag, body] = envelope.split('.');
  if (versionOf(envelope) === null || !iv || !tag || body === undefined) throw new Error('not an envelope of this product');
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url')).setAAD(bound);
  decipher.setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]);
}

/** Version of the key that an envelope was made with; null: it is none. */
export function versionOf(envelope: string): number | null {
  const version = /^v([1-9]\d{0,8})\./.exec(envelope)?.[1];
  return version === undefined ? null : Number(version);
}
