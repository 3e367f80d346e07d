import { hkdfSync } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { decrypt, encrypt } from './envelope.js';
import { ENV, type Env, SettingsError } from '../config/env.js';

const WRONG_KEY =
  'ENCRYPTION_KEY does not decrypt the stored credentials. Set the key that the database was used with, or ENCRYPTION_KEY_PREVIOUS during a rotation';

/** ENCRYPTION_KEY, and during a rotation the previous key, which only decrypts. */
@Injectable()
export class KeyEncryption {
  private readonly keys: [current: Buffer, ...previous: Buffer[]];

  constructor(@Inject(ENV) { ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS }: Env) {
    const previous = ENCRYPTION_KEY_PREVIOUS ? [Buffer.from(ENCRYPTION_KEY_PREVIOUS, 'base64')] : [];
    this.keys = [Buffer.from(ENCRYPTION_KEY, 'base64'), ...previous];
  }

  wrapDataKey(organizationId: string, dataKey: Buffer): string {
    return encrypt(this.keys[0], dataKey, dataKeyBound(organizationId));
  }

  unwrapDataKey(organizationId: string, wrapped: string): Buffer {
    try {
      return this.open(wrapped, dataKeyBound(organizationId), (key) => key);
    } catch (cause) {
      throw new SettingsError(WRONG_KEY, { cause });
    }
  }

  /** Wraps the data key with ENCRYPTION_KEY; null when it already is. */
  rewrapDataKey(organizationId: string, wrapped: string): string | null {
    if (this.isCurrent(wrapped, dataKeyBound(organizationId), (key) => key)) return null;
    return this.wrapDataKey(organizationId, this.unwrapDataKey(organizationId, wrapped));
  }

  /** Derived keys for another purpose, which do not reveal the original: first the current key, then keys still accepted. */
  derive(purpose: string): Uint8Array[] {
    return this.keys.map((key) => new Uint8Array(derived(key, purpose)));
  }

  wrap(purpose: string, plain: Buffer): string {
    return encrypt(derived(this.keys[0], purpose), plain, Buffer.from(purpose));
  }

  unwrap(purpose: string, envelope: string): Buffer {
    return this.open(envelope, Buffer.from(purpose), (key) => derived(key, purpose));
  }

  rewrap(purpose: string, envelope: string): string | null {
    if (this.isCurrent(envelope, Buffer.from(purpose), (key) => derived(key, purpose))) return null;
    return this.wrap(purpose, this.unwrap(purpose, envelope));
  }

  private isCurrent(envelope: string, bound: Buffer, keyOf: (key: Buffer) => Buffer): boolean {
    try {
      decrypt(keyOf(this.keys[0]), envelope, bound);
      return true;
    } catch {
      return false;
    }
  }

  private open(envelope: string, bound: Buffer, keyOf: (key: Buffer) => Buffer): Buffer {
    const [current, previous] = this.keys;
    if (!previous || this.isCurrent(envelope, bound, keyOf)) return decrypt(keyOf(current), envelope, bound);
    return decrypt(keyOf(previous), envelope, bound);
  }
}

const dataKeyBound = (organizationId: string): Buffer => Buffer.from(`data_keys:${organizationId}`);
const derived = (key: Buffer, purpose: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', purpose, 32));
