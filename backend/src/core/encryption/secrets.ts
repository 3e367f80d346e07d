import { Injectable } from '@nestjs/common';
import { DataKeys } from './data-keys.js';
import { decrypt, encrypt, versionOf } from './envelope.js';
import { KeyEncryption } from './key-encryption.js';
import { additionalData, type SecretPlace, type WrappingPurpose } from './encrypted-columns.js';

/** AES-256-GCM envelopes: a data key for each organization, wrapped by the key-encryption key. */
@Injectable()
export class Secrets {
  constructor(
    private readonly dataKeys: DataKeys,
    private readonly keyEncryption: KeyEncryption,
  ) {}

  async encrypt(place: SecretPlace, secret: unknown): Promise<string> {
    const { version, key } = await this.dataKeys.current(place.organizationId);
    return encrypt(key, Buffer.from(JSON.stringify(secret)), additionalData(place), version);
  }

  async decrypt(place: SecretPlace, envelope: string): Promise<unknown> {
    const version = versionOf(envelope);
    if (version === null) throw new Error('not a valid envelope');
    const key = await this.dataKeys.find(place.organizationId, version);
    return JSON.parse(decrypt(key, envelope, additionalData(place)).toString()) as unknown;
  }

  /** Derived keys for another purpose, such as signing: first the current key, then keys that are still accepted. */
  deriveKeys(purpose: string): Uint8Array[] {
    return this.keyEncryption.derive(purpose);
  }

  /** For secrets that are stored for hours or days. Bound to a purpose, with a key that needs no query. */
  wrap(purpose: WrappingPurpose, secret: unknown): string {
    return this.keyEncryption.wrap(purpose, Buffer.from(JSON.stringify(secret)));
  }

  unwrap(purpose: WrappingPurpose, envelope: string): unknown {
    return JSON.parse(this.keyEncryption.unwrap(purpose, envelope).toString()) as unknown;
  }
}
