import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyEncryption } from './key-encryption.js';
import { TenantDatabase } from '../database/tenant-database.js';

interface KeyRing {
  /** What is sealed now. */
  version: number;
  keys: Map<number, Buffer>;
  loadedAt: number;
}

/** So long may a process go on sealing under the key before: its successor must be older than this before it is erased. */
export const RING_LIFETIME_MS = 60_000;

/** The data keys of organizations, newest first to use and older ones to open with. */
@Injectable()
export class DataKeys {
  private readonly rings = new Map<string, Promise<KeyRing>>();

  constructor(
    private readonly tenants: TenantDatabase,
    private readonly keyEncryption: KeyEncryption,
  ) {}

  async current(organizationId: string): Promise<{ version: number; key: Buffer }> {
    let ring = await this.ring(organizationId);
    if (ring.loadedAt + RING_LIFETIME_MS < Date.now()) ring = await this.reload(organizationId);
    return { version: ring.version, key: keyOf(ring, ring.version) };
  }

  /** A version that is not known here was made by another process. */
  async find(organizationId: string, version: number): Promise<Buffer> {
    const ring = await this.ring(organizationId);
    return ring.keys.get(version) ?? keyOf(await this.reload(organizationId), version);
  }

  private ring(organizationId: string): Promise<KeyRing> {
    return this.rings.get(organizationId) ?? this.reload(organizationId);
  }

  private reload(organizationId: string): Promise<KeyRing> {
    const ring = this.load(organizationId);
    ring.catch(() => this.rings.delete(organizationId));
    this.rings.set(organizationId, ring);
    return ring;
  }

  private async load(organizationId: string): Promise<KeyRing> {
    const loadedAt = Date.now();
    let stored = await this.list(organizationId);
    if (stored.length === 0) {
      const wrappedKey = this.keyEncryption.wrapDataKey(organizationId, randomBytes(32));
      // Two processes may both find none: the first one's key stands, and both read it back.
      await this.tenants.of(organizationId).dataKey.createMany({ data: [{ organizationId, wrappedKey }], skipDuplicates: true });
      stored = await this.list(organizationId);
    }
    const keys = new Map(
      stored.map(({ version, wrappedKey }) => [version, this.keyEncryption.unwrapDataKey(organizationId, wrappedKey)]),
    );
    return { version: stored[0]?.version ?? 1, keys, loadedAt };
  }

  private list(organizationId: string): Promise<{ version: number; wrappedKey: string }[]> {
    return this.tenants.query(
      organizationId,
      'select version, wrapped_key as "wrappedKey" from data_keys where organization_id = $1 order by version desc',
    );
  }
}

function keyOf(ring: KeyRing, version: number): Buffer {
  const key = ring.keys.get(version);
  if (!key) throw new Error(`there is no data key of version ${version}`);
  return key;
}
