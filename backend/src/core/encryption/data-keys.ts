import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyEncryption } from './key-encryption.js';
import { TenantDatabase } from '../database/tenant-database.js';

// SQL: runs read it in transactions without Prisma (`TenantDatabase.together`).

interface KeyRing {
  /** The version that encrypts new secrets. */
  version: number;
  keys: Map<number, Buffer>;
  loadedAt: number;
}

/** A process may encrypt with the previous key for this long after a rotation. The key must not be deleted earlier. */
export const RING_LIFETIME_MS = 60_000;

/** The data keys of organizations. The newest key encrypts; older keys only decrypt. */
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

  /** An unknown version was created by another process, so the keys are reloaded. */
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
      // Two processes may create the first key concurrently. The first insert wins, and both processes read it.
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
