import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccessWatch, type Actor, assertNotAbove, lockOwnRole } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { newId } from '../../core/database/identifiers.js';
import { LOGGER } from '../../core/observability/logger.js';
import { Notifications } from '../../core/database/notifications.js';
import { notFound } from '../../core/http/problem.js';
import { type TenantQuery, TenantDatabase } from '../../core/database/tenant-database.js';
import { type EndedAccess, RevokeAccess } from '../../users/index.js';
import { expiryOf } from './api-key-lifetime.js';
import type { CreateApiKeyBody } from './api-keys.dto.js';

const KEY_BYTES = 32;
const SHOWN_CHARACTERS = 12;
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
    await this.tenants.transaction(actor.organizationId, async (query) => {
      assertNotAbove(await lockOwnRole(query, actor), body.role);
      await query(
        `insert into api_keys (organization_id, id, name, prefix, key_hash, role, created_by, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [id, body.name, key.slice(0, SHOWN_CHARACTERS), keyHash, body.role, actor.uid, expiresAt],
      );
      const target = { type: 'api_key', id, name: body.name };
      await this.audit.record(actor, { action: 'api_key.created', target, after: { role: body.role, expiresAt } }, query);
    });
    return { id, key };
  }

  async revoke(actor: Actor, apiKeyId: string): Promise<void> {
    await this.tenants.transaction(actor.organizationId, async (query) => {
      const [key] = await query<{ name: string; createdBy: string }>(
        `update api_keys set revoked_at = now() where organization_id = $1 and id = $2 and revoked_at is null
         returning name, created_by as "createdBy"`,
        [apiKeyId],
      );
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
      .query(organizationId, 'update api_keys set last_used_at = now() where organization_id = $1 and id = $2', [apiKeyId])
      .catch((error: unknown) => this.logger.warn({ err: error, apiKeyId }, 'failed to store the last use of an API key'));
  }
}

/** Revokes keys with a role above the new one. If the role were only limited, the next promotion would restore it. */
async function revokeKeysOf(query: TenantQuery, { userId, role }: EndedAccess): Promise<string[]> {
  const keys = await query<{ name: string }>(
    `update api_keys set revoked_at = now()
      where organization_id = $1 and created_by = $2 and revoked_at is null and ($3::member_role is null or role > $3::member_role)
     returning name`,
    [userId, role],
  );
  return keys.map(({ name }) => name);
}
