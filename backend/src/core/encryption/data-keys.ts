import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyEncryption } from './key-encryption.js';
import { Database } from '../database/database.js';
import { TenantDatabase } from '../database/tenant-database.js';

// SQL: runs read it in transactions without Prisma (`TenantDatabase.together`); the check reads a table that may not exist yet.

interface KeyRing {
  /** The version that encrypts new secrets. */
  version: number;
  keys: Map<number, Buffer>;
  loadedAt: number;
}

/** A process may encrypt with the previous key for this long after a rotation. The key must not be deleted earlier. */
export const RING_LIFETIME_MS = 60_000;

const UNDEFINED_TABLE = '42P01';

/** The data keys of organizations. The newest key encrypts; older keys only decrypt. */
@Injectable()
export class DataKeys {
  private readonly rings = new Map<string, Promise<KeyRing>>();

  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly keyEncryption: KeyEncryption,
  ) {}

  /** Fails when the configured keys do not decrypt the newest data key. They suit a database without data keys. */
  async check(): Promise<void> {
    for (const { organizationId, wrappedKey } of await this.newest())
      this.keyEncryption.unwrapDataKey(organizationId, wrappedKey);
  }

  private async newest(): Promise<{ organizationId: string; wrappedKey: string }[]> {
    try {
      const { rows } = await this.database.pool.query<{ organizationId: string; wrappedKey: string }>(
        'select organization_id as "organizationId", wrapped_key as "wrappedKey" from data_keys order by created_at desc limit 1',
      );
      return rows;
    } catch (error) {
      // The job queue reports a database without tables.
      if ((error as { code?: unknown }).code === UNDEFINED_TABLE) return [];
      throw error;
    }
  }

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
