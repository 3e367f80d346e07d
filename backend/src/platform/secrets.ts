import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from './env.js';
import { TenantDoor } from './tenant.js';

/** Where a ciphertext lives. Part of the envelope's additional data: moved anywhere else, it does not open. */
export interface SecretPlace {
  organizationId: string;
  table: string;
  column: string;
  rowId: string;
}

const VERSION = 'v1';
const IV_BYTES = 12;

/** AES-256-GCM envelopes: a data key for each organization, wrapped by the key-encryption key. */
@Injectable()
export class Secrets {
  private readonly keyEncryptionKey: Buffer;
  private readonly dataKeys = new Map<string, Promise<Buffer>>();

  constructor(
    @Inject(ENV) env: Env,
    private readonly tenants: TenantDoor,
  ) {
    this.keyEncryptionKey = Buffer.from(env.ENCRYPTION_KEY, 'base64');
  }

  async seal(place: SecretPlace, secret: unknown): Promise<string> {
    return encrypt(await this.dataKey(place.organizationId), Buffer.from(JSON.stringify(secret)), additionalData(place));
  }

  async open(place: SecretPlace, envelope: string): Promise<unknown> {
    return JSON.parse(decrypt(await this.dataKey(place.organizationId), envelope, additionalData(place)).toString()) as unknown;
  }

  /** A key for another purpose, such as signing, which tells nothing of the key it comes from. */
  deriveKey(purpose: string): Uint8Array {
    return new Uint8Array(hkdfSync('sha256', this.keyEncryptionKey, '', purpose, 32));
  }

  /** For what lives hours and not years: bound to its purpose, under a key that needs no look-up. */
  wrap(purpose: string, secret: unknown): string {
    return encrypt(Buffer.from(this.deriveKey(purpose)), Buffer.from(JSON.stringify(secret)), Buffer.from(purpose));
  }

  unwrap(purpose: string, envelope: string): unknown {
    return JSON.parse(decrypt(Buffer.from(this.deriveKey(purpose)), envelope, Buffer.from(purpose)).toString()) as unknown;
  }

  private dataKey(organizationId: string): Promise<Buffer> {
    let key = this.dataKeys.get(organizationId);
    if (!key) {
      key = this.loadOrCreateDataKey(organizationId);
      key.catch(() => this.dataKeys.delete(organizationId));
      this.dataKeys.set(organizationId, key);
    }
    return key;
  }

  private async loadOrCreateDataKey(organizationId: string): Promise<Buffer> {
    const bound = Buffer.from(`data_keys:${organizationId}`);
    const wrappedKey = encrypt(this.keyEncryptionKey, randomBytes(32), bound);
    // Two processes may both find none: the first one's key stands, and both read it back.
    await this.tenants.of(organizationId).dataKey.createMany({ data: [{ organizationId, wrappedKey }], skipDuplicates: true });
    const stored = await this.tenants.of(organizationId).dataKey.findFirstOrThrow();
    return decrypt(this.keyEncryptionKey, stored.wrappedKey, bound);
  }
}

const additionalData = (place: SecretPlace): Buffer =>
  Buffer.from([place.organizationId, place.table, place.column, place.rowId].join(':'));

function encrypt(key: Buffer, plain: Buffer, bound: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(bound);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return [VERSION, iv, cipher.getAuthTag(), body]
    .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
    .join('.');
}

function decrypt(key: Buffer, envelope: string, bound: Buffer): Buffer {
  const [version, iv, tag, body] = envelope.split('.');
  if (version !== VERSION || !iv || !tag || body === undefined) throw new Error('not an envelope of this product');
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url')).setAAD(bound);
  decipher.setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]);
}
