import { Injectable } from '@nestjs/common';
import type { Actor } from '../../access/index.js';
import { AppHistory, AuditService } from '../../audit/index.js';
import { notFound, Problem, versionConflict } from '../../core/http/problem.js';
import { toJson } from '../../core/database/json-column.js';
import { Prisma } from '../../generated/prisma/client.js';
import { type TenantQuery, TenantDatabase } from '../../core/database/tenant-database.js';
import { errorsOfSchema } from './event-schema.js';
import type { UpdatePushEndpointBody } from './push-endpoint.dto.js';
import { PushKeyWatch } from './push-key-watch.js';
import { newPushKey } from './push-key.js';

// SQL: locks the app's row.

@Injectable()
export class PushEndpointService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly audit: AuditService,
    private readonly history: AppHistory,
    private readonly watch: PushKeyWatch,
  ) {}

  async update(actor: Actor, appId: string, body: UpdatePushEndpointBody): Promise<void> {
    const errors = body.schema ? errorsOfSchema(body.schema) : [];
    if (errors.length > 0)
      throw new Problem('request.invalid', { detail: errors.map(({ message }) => message).join('; '), errors });
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      const app = await lockApp(query, appId);
      const { schema, dedupeField } = body;
      const { count } = await transaction.pushEndpoint.updateMany({
        where: { appId, version: body.version },
        data: {
          ...(schema !== undefined && { schema: schema ? toJson(schema) : Prisma.DbNull }),
          dedupeField,
          version: { increment: 1 },
        },
      });
      if (count === 0) throw versionConflict('endpoint');
      const target = { type: 'app', id: appId, name: app.name };
      await this.audit.record(actor, { action: 'app.push_changed', target, after: { schema, dedupeField } }, query);
    });
  }

  /** Creates a key and rejects the previous one from now on. Returns the key, which is not stored. */
  async rotateKey(actor: Actor, appId: string): Promise<string> {
    const { key, keyHash, keyHint } = newPushKey();
    await this.changeKey(actor, appId, { action: 'app.push_key_made', keyHash, keyHint, state: 'connected' });
    return key;
  }

  /** No event is accepted until a new key is created. Stored events are kept. */
  async revokeKey(actor: Actor, appId: string): Promise<void> {
    await this.changeKey(actor, appId, {
      action: 'app.push_key_revoked',
      keyHash: null,
      keyHint: null,
      state: 'draft',
    });
  }

  private changeKey(
    actor: Actor,
    appId: string,
    change: { action: string; keyHash: string | null; keyHint: string | null; state: 'connected' | 'draft' },
  ): Promise<void> {
    const { organizationId, email } = actor;
    return this.tenants.write(organizationId, async (transaction, query) => {
      const { name, hadKey } = await lockApp(query, appId);
      const { keyHash, keyHint } = change;
      const keyMadeAt = keyHash === null ? null : new Date();
      await transaction.pushEndpoint.updateMany({ where: { appId }, data: { keyHash, keyHint, keyMadeAt } });
      await this.watch.notify(transaction, appId, change.state);
      await this.audit.record(actor, { action: change.action, target: { type: 'app', id: appId, name } }, query);
      const entry = { organizationId, appId, actor: email };
      if (change.keyHash)
        await this.history.record(
          { ...entry, event: hadKey ? 'reconnected' : 'connected', detail: 'A push key was created.' },
          transaction,
        );
      else if (hadKey)
        await this.history.record({ ...entry, event: 'disconnected', detail: 'The push key was revoked.' }, transaction);
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
