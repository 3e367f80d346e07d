import { Injectable } from '@nestjs/common';
import type { Actor } from '../../access/index.js';
import { AppHistory, AuditService } from '../../audit/index.js';
import { notFound, Problem, versionConflict } from '../../core/http/problem.js';
import { type TenantQuery, TenantDatabase } from '../../core/database/tenant-database.js';
import { errorsOfSchema } from './event-schema.js';
import type { UpdatePushEndpointBody } from './push-endpoint.dto.js';
import { newPushKey } from './push-key.js';

@Injectable()
export class PushEndpointService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly audit: AuditService,
    private readonly history: AppHistory,
  ) {}

  async update(actor: Actor, appId: string, body: UpdatePushEndpointBody): Promise<void> {
    const errors = body.schema ? errorsOfSchema(body.schema) : [];
    if (errors.length > 0)
      throw new Problem('request.invalid', { detail: errors.map(({ message }) => message).join('; '), errors });
    await this.tenants.transaction(actor.organizationId, async (query) => {
      const app = await lockApp(query, appId);
      const { schema, dedupeField } = body;
      const [changed] = await query(
        `update push_endpoints
            set schema = case when $3 then $4::jsonb else schema end, dedupe_field = case when $5 then $6 else dedupe_field end,
                version = version + 1, updated_at = now()
          where organization_id = $1 and app_id = $2 and version = $7 returning version`,
        [
          appId,
          schema !== undefined,
          schema ? JSON.stringify(schema) : null,
          dedupeField !== undefined,
          dedupeField ?? null,
          body.version,
        ],
      );
      if (!changed) throw versionConflict('endpoint');
      const target = { type: 'app', id: appId, name: app.name };
      await this.audit.record(actor, { action: 'app.push_changed', target, after: { schema, dedupeField } }, query);
    });
  }

  /** Creates a key and rejects the previous one from now on. Returns the key, which is not stored. */
  async rotateKey(actor: Actor, appId: string): Promise<string> {
    const { key, keyHash, keyHint } = newPushKey();
    const event = await this.changeKey(actor, appId, { action: 'app.push_key_made', keyHash, keyHint, state: 'connected' });
    await this.history.record({ ...event, event: event.hadKey ? 'reconnected' : 'connected', detail: 'A push key was created.' });
    return key;
  }

  /** No event is accepted until a new key is created. Stored events are kept. */
  async revokeKey(actor: Actor, appId: string): Promise<void> {
    const event = await this.changeKey(actor, appId, {
      action: 'app.push_key_revoked',
      keyHash: null,
      keyHint: null,
      state: 'draft',
    });
    if (event.hadKey) await this.history.record({ ...event, event: 'disconnected', detail: 'The push key was revoked.' });
  }

  private changeKey(
    actor: Actor,
    appId: string,
    change: { action: string; keyHash: string | null; keyHint: string | null; state: 'connected' | 'draft' },
  ): Promise<{ organizationId: string; appId: string; actor: string; hadKey: boolean }> {
    const { organizationId, email } = actor;
    return this.tenants.transaction(organizationId, async (query) => {
      const { name, hadKey } = await lockApp(query, appId);
      await query(
        `update push_endpoints set key_hash = $3, key_hint = $4, key_made_at = case when $3::text is null then null else now() end,
                updated_at = now()
          where organization_id = $1 and app_id = $2`,
        [appId, change.keyHash, change.keyHint],
      );
      await query(
        'update apps set state = $3::app_state, version = version + 1, updated_at = now() where organization_id = $1 and id = $2',
        [appId, change.state],
      );
      await this.audit.record(actor, { action: change.action, target: { type: 'app', id: appId, name } }, query);
      return { organizationId, appId, actor: email, hadKey };
    });
  }
}

async function lockApp(query: TenantQuery, appId: string): Promise<{ name: string; hadKey: boolean }> {
  const [app] = await query<{ name: string; hadKey: boolean }>(
    `select a.display_name as name, p.key_hash is not null as "hadKey"
       from apps a join push_endpoints p on p.organization_id = a.organization_id and p.app_id = a.id
      where a.organization_id = $1 and a.id = $2 and a.deleted_at is null for no key update of a`,
    [appId],
  );
  if (!app) throw notFound('The push endpoint');
  return app;
}
