import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccessWatch, type Actor, assertNotAbove, lockOwnRole, rolesAbove } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { newId } from '../../core/database/identifiers.js';
import { LOGGER } from '../../core/observability/logger.js';
import { Notifications } from '../../core/database/notifications.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { TenantDatabase, type TenantQuery, type TenantTransaction } from '../../core/database/tenant-database.js';
import { RevokeAccess, type Revoker } from '../../users/index.js';
import { expiryOf } from './api-key-lifetime.js';
import type { CreateApiKeyBody } from './api-keys.dto.js';

// SQL: locks the organization's row.

const KEY_BYTES = 32;
const SHOWN_CHARACTERS = 12;
/** Keys of one organization that are not revoked. Each may cause mails, when it is about to expire. */
const MAX_KEYS = 100;
const USE_STORED_EVERY_MS = 60_000;

@Injectable()
export class ApiKeysService implements OnModuleInit {
  private readonly lastStoredAt = new Map<string, number>();

  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly tenants: TenantDatabase,
    private readonly audit: AuditService,
    private readonly watch: AccessWatch,
    private readonly notifications: Notifications,
    private readonly revokeAccess: RevokeAccess,
  ) {}

  onModuleInit(): void {
    this.watch.onNotice(async (notice) => {
      if (notice.kind === 'key-used') this.storeUse(notice.organizationId, notice.apiKeyId);
    });
    this.revokeAccess.register('apiKeys', revokeKeysOf);
  }

  /** Returns the key, which is not stored in plain text. API keys cannot create keys, so that a leaked key cannot multiply. */
  async create(actor: Actor, body: CreateApiKeyBody): Promise<{ id: string; key: string }> {
    const expiresAt = expiryOf(body.expiresAt);
    const id = newId();
    const key = `trb_${randomBytes(KEY_BYTES).toString('base64url')}`;
    const keyHash = createHash('sha256').update(key).digest('hex');
    const { organizationId } = actor;
    await this.tenants.write(organizationId, async (transaction, query) => {
      await assertBelowLimit(transaction, query);
      assertNotAbove(await lockOwnRole(query, actor), body.role);
      const { name, role } = body;
      const prefix = key.slice(0, SHOWN_CHARACTERS);
      await transaction.apiKey.create({
        data: { organizationId, id, name, prefix, keyHash, role, createdBy: actor.uid, expiresAt },
      });
      const target = { type: 'api_key', id, name };
      await this.audit.record(actor, { action: 'api_key.created', target, after: { role, expiresAt } }, query);
    });
    return { id, key };
  }

  async revoke(actor: Actor, apiKeyId: string): Promise<void> {
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      const [key] = await transaction.apiKey.updateManyAndReturn({
        where: { id: apiKeyId, revokedAt: null },
        data: { revokedAt: new Date() },
      });
      if (!key) throw notFound('The API key');
      const target = { type: 'api_key', id: apiKeyId, name: key.name };
      await this.audit.record(actor, { action: 'api_key.revoked', target }, query);
      await this.notifications.publishAccessChange(query, { organizationId: actor.organizationId, userId: key.createdBy });
    });
  }

  /** Stores the last use of a key, at most once a minute. The request does not wait for it. */
  private storeUse(organizationId: string, apiKeyId: string): void {
    const now = Date.now();
    if (now - (this.lastStoredAt.get(apiKeyId) ?? 0) < USE_STORED_EVERY_MS) return;
    this.lastStoredAt.set(apiKeyId, now);
    this.tenants
      .of(organizationId)
      .apiKey.updateMany({ where: { id: apiKeyId }, data: { lastUsedAt: new Date(now) } })
      .catch((error: unknown) => this.logger.warn({ err: error, apiKeyId }, 'failed to store the last use of an API key'));
  }
}

/** Locks the organization's row, so that concurrent requests cannot exceed the limit together. */
async function assertBelowLimit(transaction: TenantTransaction, query: TenantQuery): Promise<void> {
  await query('select 1 from organizations where id = $1 for no key update');
  if ((await transaction.apiKey.count({ where: { revokedAt: null } })) < MAX_KEYS) return;
  throw new Problem('api_key.limit_reached', {
    detail: `An organization can have at most ${MAX_KEYS} API keys that are not revoked, including expired ones.`,
    action: 'Revoke an API key that is no longer used',
  });
}

/** Revokes keys with a role above the new one. If the role were only limited, the next promotion would restore it. */
const revokeKeysOf: Revoker = async (transaction, { organizationId, userId, role }) => {
  const keys = await transaction.apiKey.updateManyAndReturn({
    where: { organizationId, createdBy: userId, revokedAt: null, role: { in: rolesAbove(role) } },
    data: { revokedAt: new Date() },
    select: { name: true },
  });
  return keys.map(({ name }) => name);
};
