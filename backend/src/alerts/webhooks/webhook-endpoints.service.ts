import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../access/index.js';
import { AuditService } from '../../audit/index.js';
import { resolveAllowed } from '../../connectors/kit/egress.js';
import { FixSettings } from '../../connectors/kit/errors.js';
import { ENV, type Env } from '../../core/config/env.js';
import { newId } from '../../core/database/identifiers.js';
import { RESTORABLE_DAYS } from '../../core/database/restorable.js';
import {
  type TenantQuery,
  type TenantTransaction,
  type TenantWork,
  TenantDatabase,
} from '../../core/database/tenant-database.js';
import { notFound, Problem, versionConflict } from '../../core/http/problem.js';
import { alertKinds } from '../alert-kinds.js';
import { Alerts } from '../alerts.service.js';
import { deleteRulesOf, restoreRulesOf } from '../rules/rules-of-webhook.js';
import { newSigningSecret } from './sign-webhook.js';
import { failQueuedDeliveries, queueDelivery, storeDeliveries } from './store-deliveries.js';
import type { CreateWebhookBody, UpdateWebhookBody } from './webhook-endpoints.dto.js';
import { WebhookSecrets } from './webhook-secrets.js';

// SQL: locks the webhook and the organization's row.

export const MAX_ENDPOINTS = 20;
/** After a rotation, messages are signed with both secrets for this long. */
const PREVIOUS_SECRET_MS = 86_400_000;

interface Endpoint extends Record<string, unknown> {
  id: string;
  kind: 'signed' | 'slack';
  name: string;
  secret: string;
  isEnabled: boolean;
  version: number;
}

@Injectable()
export class WebhookEndpointsService {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly audit: AuditService,
    private readonly alerts: Alerts,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** Returns the secret, which is never returned again. A rule sends all alerts to the new endpoint. */
  async create(actor: Actor, { kind, name, url: given }: CreateWebhookBody): Promise<{ id: string; secret: string | null }> {
    const { organizationId } = actor;
    const url = await this.checkUrl(given);
    const id = newId();
    const secret = kind === 'signed' ? newSigningSecret() : null;
    const sealed = await this.secrets.seal(organizationId, id, secret ? { current: secret } : { url: url.href });
    const own = { organizationId, createdBy: actor.uid };
    await this.tenants.write(organizationId, async (transaction, query) => {
      await lockOrganization(query);
      await assertRoom(transaction);
      await transaction.webhookEndpoint.create({
        data: { ...own, id, kind, name, url: kind === 'signed' ? url.href : null, host: url.host, secret: sealed },
      });
      const channel = kind === 'signed' ? 'webhook' : 'slack';
      await transaction.notificationRule.create({ data: { ...own, id: newId(), channel, events: alertKinds, endpointId: id } });
      await this.record(actor, query, 'created', { id, name }, { kind, host: url.host });
    });
    return { id, secret };
  }

  async update(actor: Actor, id: string, { version, url: given, name, isEnabled }: UpdateWebhookBody): Promise<void> {
    const { organizationId } = actor;
    // A missing webhook is reported before an invalid address.
    await this.tenants.transaction(organizationId, (query) => lockEndpoint(query, id));
    const url = given === undefined ? null : await this.checkUrl(given);
    await this.tenants.write(organizationId, async (transaction, query) => {
      const current = await lockEndpoint(query, id);
      if (current.version !== version) throw versionConflict('webhook');
      const isSlack = current.kind === 'slack';
      const sealed = url && isSlack ? await this.secrets.seal(organizationId, id, { url: url.href }) : null;
      await transaction.webhookEndpoint.update({
        where: { id },
        data: {
          ...{ name, isEnabled, version: { increment: 1 } },
          ...(url && { host: url.host, failingSince: null, ...(isSlack ? { secret: sealed ?? undefined } : { url: url.href }) }),
          ...(isEnabled !== undefined && { disabledReason: isEnabled ? null : 'user' }),
          ...(isEnabled && { failingSince: null }),
        },
        select: { id: true },
      });
      if (isEnabled !== undefined) await this.saveSwitch({ transaction, query }, organizationId, current, isEnabled);
      await this.record(actor, query, 'updated', { id, name: name ?? current.name }, { name, host: url?.host, isEnabled });
    });
  }

  /** What an import changes of a webhook, in its transaction. */
  async updateWithin(
    { transaction, query }: TenantWork,
    { organizationId }: Actor,
    { id, name, isEnabled }: { id: string; name: string; isEnabled: boolean },
  ): Promise<void> {
    const current = await lockEndpoint(query, id);
    const disabledReason = isEnabled ? null : 'user';
    const data = { name, isEnabled, disabledReason, failingSince: null, version: { increment: 1 } };
    await transaction.webhookEndpoint.update({ where: { id }, data, select: { id: true } });
    await this.saveSwitch({ transaction, query }, organizationId, current, isEnabled);
  }

  private async saveSwitch(
    { transaction, query }: TenantWork,
    organizationId: string,
    { id, isEnabled: wasEnabled }: Endpoint,
    isEnabled: boolean,
  ): Promise<void> {
    if (isEnabled !== wasEnabled) await failQueuedDeliveries(transaction, id, 'The webhook was disabled.');
    if (isEnabled) await this.alerts.recover(query, organizationId, id, ['webhook.disabled']);
  }

  /** Also deletes its rules, and fails what it has not received. */
  async delete(actor: Actor, id: string): Promise<void> {
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      const { name } = await lockEndpoint(query, id);
      const deletedAt = new Date();
      await transaction.webhookEndpoint.update({ where: { id }, data: { deletedAt }, select: { id: true } });
      await deleteRulesOf(transaction, id, deletedAt);
      await failQueuedDeliveries(transaction, id, 'The webhook was deleted.');
      await this.alerts.close(query, id);
      await this.record(actor, query, 'deleted', { id, name });
    });
  }

  /** With the rules that were deleted together with it. Does nothing if it is restored already. */
  async restore(actor: Actor, id: string): Promise<void> {
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      await lockOrganization(query);
      const { name, deletedAt } = await lockRestorable(query, id);
      if (!deletedAt) return;
      await assertRoom(transaction);
      await transaction.webhookEndpoint.update({ where: { id }, data: { deletedAt: null }, select: { id: true } });
      await restoreRulesOf(transaction, id, deletedAt);
      // An event can have been stored while the webhook was deleted.
      await failQueuedDeliveries(transaction, id, 'The webhook was deleted.');
      await this.record(actor, query, 'restored', { id, name });
    });
  }

  /** The previous secret signs too for a day. */
  async rotateSecret(actor: Actor, id: string, now = new Date()): Promise<string> {
    const { organizationId } = actor;
    return this.tenants.write(organizationId, async (transaction, query) => {
      const { kind, name, secret } = await lockEndpoint(query, id);
      // Slack's messages are not signed, so that there is no secret to rotate.
      if (kind === 'slack') throw notFound('The signing secret');
      const { current: previous } = await this.secrets.open(organizationId, id, secret);
      const current = newSigningSecret();
      const previousUntil = new Date(now.getTime() + PREVIOUS_SECRET_MS).toISOString();
      const sealed = await this.secrets.seal(organizationId, id, { current, ...(previous ? { previous, previousUntil } : {}) });
      await transaction.webhookEndpoint.update({
        where: { id },
        data: { secret: sealed, version: { increment: 1 } },
        select: { id: true },
      });
      await this.record(actor, query, 'secret_rotated', { id, name });
      return current;
    });
  }

  /** Returns the id of the delivery. */
  async sendTest({ organizationId }: Actor, id: string): Promise<string> {
    return this.tenants.write(organizationId, async (transaction, query) => {
      const endpoint = await lockEndpoint(query, id);
      assertEnabled(endpoint);
      const url = `${this.env.PUBLIC_URL}/${organizationId}/settings?tab=webhooks`;
      const lines = ['Alerts of Tributary arrive here.'];
      const message = { type: 'webhook.test', title: `Test of ${endpoint.name}`, lines, url, data: {} };
      const [deliveryId = ''] = await storeDeliveries({ transaction, query }, organizationId, [endpoint], message);
      return deliveryId;
    });
  }

  /** Sends a delivery again, with the same webhook-id. */
  async redeliver({ organizationId }: Actor, endpointId: string, deliveryId: string): Promise<void> {
    await this.tenants.write(organizationId, async (transaction, query) => {
      assertEnabled(await lockEndpoint(query, endpointId));
      const queued = await transaction.webhookDelivery.updateMany({
        where: { endpointId, id: deliveryId },
        data: { state: 'queued', attempts: 0, nextAttemptAt: new Date() },
      });
      if (queued.count === 0) throw notFound('The delivery');
      await queueDelivery(query, { organizationId, endpointId, deliveryId });
    });
  }

  /** Without a rule, and with a signing secret that nobody has seen: it is shown when it is rotated. */
  async importWithin(
    transaction: TenantTransaction,
    { organizationId, uid }: Actor,
    { id, name, url, isEnabled }: { id: string; name: string; url: string; isEnabled: boolean },
  ): Promise<void> {
    const secret = await this.secrets.seal(organizationId, id, { current: newSigningSecret() });
    const disabledReason = isEnabled ? null : 'user';
    const { host } = new URL(url);
    await transaction.webhookEndpoint.create({
      data: { organizationId, id, kind: 'signed', name, url, host, secret, isEnabled, disabledReason, createdBy: uid },
    });
  }

  /** Each delivery checks the host again, because its address can change. */
  async checkUrl(given: string): Promise<URL> {
    const url = URL.canParse(given) ? new URL(given) : null;
    if (url?.protocol !== 'https:') throw wrongUrl('url must be an https address');
    if (url.username !== '' || url.password !== '') throw wrongUrl('url must not contain a user name or password');
    try {
      await resolveAllowed(url.hostname, { allowed: this.env.EGRESS_ALLOWED_NETWORKS });
    } catch (error) {
      throw wrongUrl(error instanceof FixSettings ? error.message : `The host ${url.hostname} was not found`);
    }
    return url;
  }

  private record(
    actor: Actor,
    query: TenantQuery,
    verb: string,
    endpoint: { id: string; name: string },
    after?: object,
  ): Promise<void> {
    return this.audit.record(actor, { action: `webhook.${verb}`, target: { type: 'webhook', ...endpoint }, after }, query);
  }
}

async function lockEndpoint(query: TenantQuery, id: string): Promise<Endpoint> {
  const [endpoint] = await query<Endpoint>(
    `select id, kind, name, secret, is_enabled as "isEnabled", version from webhook_endpoints
      where organization_id = $1 and id = $2 and deleted_at is null for no key update`,
    [id],
  );
  if (!endpoint) throw notFound('The webhook');
  return endpoint;
}

async function lockRestorable(query: TenantQuery, id: string): Promise<{ name: string; deletedAt: Date | null }> {
  const [endpoint] = await query<{ name: string; deletedAt: Date | null }>(
    `select name, deleted_at as "deletedAt" from webhook_endpoints
      where organization_id = $1 and id = $2 and (deleted_at is null or deleted_at > now() - make_interval(days => $3))
        for no key update`,
    [id, RESTORABLE_DAYS],
  );
  if (!endpoint) throw notFound('The webhook');
  return endpoint;
}

/** Webhooks are counted with this lock. Must come before the lock of a webhook. */
async function lockOrganization(query: TenantQuery): Promise<void> {
  await query('select 1 from organizations where id = $1 for no key update');
}

async function assertRoom(transaction: TenantTransaction): Promise<void> {
  if ((await transaction.webhookEndpoint.count({ where: { deletedAt: null } })) < MAX_ENDPOINTS) return;
  throw new Problem('webhook.limit_reached', {
    detail: `An organization can have at most ${MAX_ENDPOINTS} webhooks.`,
    action: 'Delete a webhook that is no longer used',
  });
}

function assertEnabled({ isEnabled, name }: Endpoint): void {
  if (!isEnabled) throw new Problem('webhook.disabled', { detail: `${name} is disabled.`, action: 'Enable the webhook first' });
}

const wrongUrl = (message: string): Problem =>
  new Problem('request.invalid', { detail: message, errors: [{ field: 'url', message }] });
