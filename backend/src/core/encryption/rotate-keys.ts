import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RING_LIFETIME_MS } from './data-keys.js';
import { Database } from '../database/database.js';
import { decrypt, encrypt, versionOf } from './envelope.js';
import { KeyEncryption } from './key-encryption.js';
import {
  additionalData,
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
  WRAPPED_COLUMNS,
  type WrappedColumn,
} from './encrypted-columns.js';

// SQL: advisory lock; the names of tables and columns are a list.

/** Result of a rotation. A second rotation changes nothing. */
export interface Rotation {
  /** Data keys that were re-encrypted with ENCRYPTION_KEY. */
  dataKeysWrapped: number;
  /** Outbox messages and stored responses that were re-encrypted with ENCRYPTION_KEY. */
  wrapped: number;
  /** Organizations with a new data key. */
  dataKeysMade: number;
  /** Secrets that were re-encrypted with their organization's new data key. */
  reencrypted: number;
  /** Data keys that were deleted because no secret uses them. */
  dataKeysErased: number;
}

interface EncryptedRow {
  organizationId: string;
  id: string;
  envelope: string;
}

interface WrappedRow {
  key: string[];
  envelope: string;
}

const BATCH = 500;
/** Arbitrary number of the advisory lock that allows one rotation at a time. */
const ROTATION_LOCK = 5_402_117;

/**
 * Replaces keys while the product runs. Each row is updated separately and only if it has not changed since it was read. A
 * rotation can therefore stop at any point and be restarted.
 */
@Injectable()
export class RotateKeys {
  constructor(
    private readonly database: Database,
    private readonly keyEncryption: KeyEncryption,
  ) {}

  /** @param options `ringLifetimeMs`: how long other processes may encrypt with the previous data key */
  async run({ withDataKeys = false, ringLifetimeMs = RING_LIFETIME_MS } = {}): Promise<Rotation> {
    const done: Rotation = { dataKeysWrapped: 0, wrapped: 0, dataKeysMade: 0, reencrypted: 0, dataKeysErased: 0 };
    const lock = await this.database.sessions.connect();
    try {
      const { rows } = await lock.query<{ isFree: boolean }>('select pg_try_advisory_lock($1) as "isFree"', [ROTATION_LOCK]);
      if (!rows[0]?.isFree) throw new Error('Another key rotation is in progress.');
      done.dataKeysWrapped = await this.wrapDataKeys();
      for (const column of WRAPPED_COLUMNS) done.wrapped += await this.wrapColumn(column);
      if (withDataKeys) await this.replaceDataKeys(done, ringLifetimeMs);
      return done;
    } finally {
      await lock.query('select pg_advisory_unlock($1)', [ROTATION_LOCK]);
      lock.release();
    }
  }

  private async wrapDataKeys(): Promise<number> {
    const { rows } = await this.database.pool.query<{ organizationId: string; version: number; wrappedKey: string }>(
      'select organization_id as "organizationId", version, wrapped_key as "wrappedKey" from data_keys',
    );
    let count = 0;
    for (const { organizationId, version, wrappedKey } of rows) {
      const rewrapped = this.keyEncryption.rewrapDataKey(organizationId, wrappedKey);
      if (rewrapped === null) continue;
      await this.database.pool.query(
        'update data_keys set wrapped_key = $4 where organization_id = $1 and version = $2 and wrapped_key = $3',
        [organizationId, version, wrappedKey, rewrapped],
      );
      count += 1;
    }
    return count;
  }

  private async wrapColumn(place: WrappedColumn): Promise<number> {
    let count = 0;
    let after: string[] = [];
    for (;;) {
      const rows = await this.readWrapped(place, after);
      for (const row of rows) count += await this.wrapRow(place, row);
      const last = rows.at(-1);
      if (!last) return count;
      after = last.key;
    }
  }

  /** @param after primary key of the last row of the previous batch; empty: the first batch */
  private async readWrapped({ table, column, primaryKey }: WrappedColumn, after: string[]): Promise<WrappedRow[]> {
    const isLater = after.length > 0 ? `and (${primaryKey.join()}) > (${after.map((_, index) => `$${index + 1}`).join()})` : '';
    const { rows } = await this.database.pool.query<WrappedRow>(
      `select array[${primaryKey.map((name) => `${name}::text`).join()}] as key, ${column} as envelope from ${table}
        where ${column} is not null ${isLater} order by ${primaryKey.join()} limit ${BATCH}`,
      after,
    );
    return rows;
  }

  private async wrapRow({ table, column, purpose, primaryKey }: WrappedColumn, { key, envelope }: WrappedRow): Promise<number> {
    const rewrapped = this.keyEncryption.rewrap(purpose, envelope);
    if (rewrapped === null) return 0;
    const isRow = primaryKey.map((name, index) => `${name} = $${index + 3}`).join(' and ');
    const { rowCount } = await this.database.pool.query(`update ${table} set ${column} = $2 where ${column} = $1 and ${isRow}`, [
      envelope,
      rewrapped,
      ...key,
    ]);
    return rowCount ?? 0;
  }

  /** Processes may use the previous key until they reload their keys, so a second pass runs after a delay. */
  private async replaceDataKeys(done: Rotation, ringLifetimeMs: number): Promise<void> {
    done.dataKeysMade = await this.createDataKeys();
    for (const column of ENCRYPTED_COLUMNS) done.reencrypted += await this.reencryptColumn(column);
    // Twice the lifetime: a secret that was encrypted at its end is stored shortly after.
    await wait(2 * ringLifetimeMs);
    for (const column of ENCRYPTED_COLUMNS) done.reencrypted += await this.reencryptColumn(column);
    done.dataKeysErased = await this.eraseDataKeys();
  }

  /** After an interrupted rotation, an organization already has the new key in addition to the previous one. */
  private async createDataKeys(): Promise<number> {
    const { rows } = await this.database.pool.query<{ organizationId: string; version: number }>(
      `select organization_id as "organizationId", max(version) as version from data_keys
        group by organization_id having count(*) = 1`,
    );
    for (const { organizationId, version } of rows) {
      const wrapped = this.keyEncryption.wrapDataKey(organizationId, randomBytes(32));
      await this.database.pool.query('insert into data_keys (organization_id, version, wrapped_key) values ($1, $2, $3)', [
        organizationId,
        version + 1,
        wrapped,
      ]);
    }
    return rows.length;
  }

  private async reencryptColumn(place: EncryptedColumn): Promise<number> {
    let count = 0;
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await this.readBatch(place, after);
      for (const row of rows) count += await this.reencryptRow(place, row);
      const last = rows.at(-1);
      if (!last) return count;
      after = last.id;
    }
  }

  private async readBatch({ table, column }: EncryptedColumn, after: string): Promise<EncryptedRow[]> {
    const { rows } = await this.database.pool.query<EncryptedRow>(
      `select t.organization_id as "organizationId", t.id, t.${column} as envelope from ${table} t
        where t.id > $1 and t.${column} is not null
          and not starts_with(t.${column}, 'v' || (select max(k.version) from data_keys k
                                                   where k.organization_id = t.organization_id) || '.')
        order by t.id limit ${BATCH}`,
      [after],
    );
    return rows;
  }

  private async reencryptRow(place: EncryptedColumn, { organizationId, id, envelope }: EncryptedRow): Promise<number> {
    const keys = await this.keysOf(organizationId);
    const newest = Math.max(...keys.keys());
    const bound = additionalData({ ...place, organizationId, rowId: id });
    const plain = decrypt(keys.get(versionOf(envelope) ?? 0) ?? Buffer.alloc(32), envelope, bound);
    const encrypted = encrypt(keys.get(newest) ?? Buffer.alloc(0), plain, bound, newest);
    const { rowCount } = await this.database.pool.query(
      `update ${place.table} set ${place.column} = $3 where id = $1 and ${place.column} = $2`,
      [id, envelope, encrypted],
    );
    return rowCount ?? 0;
  }

  private async keysOf(organizationId: string): Promise<Map<number, Buffer>> {
    const { rows } = await this.database.pool.query<{ version: number; wrappedKey: string }>(
      'select version, wrapped_key as "wrappedKey" from data_keys where organization_id = $1',
      [organizationId],
    );
    return new Map(
      rows.map(({ version, wrappedKey }) => [version, this.keyEncryption.unwrapDataKey(organizationId, wrappedKey)]),
    );
  }

  private async eraseDataKeys(): Promise<number> {
    const isUsed = ENCRYPTED_COLUMNS.map(
      ({ table, column }) =>
        `exists (select from ${table} t where t.organization_id = k.organization_id and starts_with(t.${column}, 'v' || k.version || '.'))`,
    ).join(' or ');
    const { rowCount } = await this.database.pool.query(
      `delete from data_keys k
        where k.version < (select max(n.version) from data_keys n where n.organization_id = k.organization_id)
          and not (${isUsed})`,
    );
    return rowCount ?? 0;
  }
}
