import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../access/access.decorator.js';
import { AppAccess } from '../apps/app-access.service.js';
import { AppsService } from '../apps/apps.service.js';
import { AuditService } from '../audit/audit.service.js';
import type { CheckItem, Destination } from '../connectors/kit/contract.js';
import type { FixSettings } from '../connectors/kit/errors.js';
import { postgresql } from '../connectors/catalog.js';
import { Prisma } from '../generated/prisma/client.js';
import { DeleterService } from '../organizations/deleter.service.js';
import { toFailure } from '../platform/failures.js';
import { newId } from '../platform/identifiers.js';
import { Problem } from '../platform/problem.js';
import { TenantDoor } from '../platform/tenant.js';
import { connectorSettings, parsePassword, parseSettings, type Settings } from './destination-settings.js';
import type { CheckDestinationBody, CreateDestinationBody, DestinationCheck, UpdateDestinationBody } from './destinations.dto.js';
import { DestinationsQueries } from './destinations.queries.js';

const CHECK_TIMEOUT_MS = 20_000;

@Injectable()
export class DestinationsService implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDoor,
    private readonly queries: DestinationsQueries,
    private readonly apps: AppsService,
    private readonly access: AppAccess,
    private readonly audit: AuditService,
    private readonly deleters: DeleterService,
  ) {}

  onModuleInit(): void {
    this.deleters.register('destination', { permission: 'destinations.write', delete: (actor, id) => this.delete(actor, id) });
  }

  /** Tries settings that are not saved. */
  async check(actor: Actor, body: CheckDestinationBody): Promise<DestinationCheck> {
    const settings = parseSettings(body.settings);
    // Named for nothing when a password is given too; one that is not there is a mistake all the same.
    if (body.destinationId) await this.queries.getDestination(actor.organizationId, body.destinationId);
    const items = await checkWith(settings, await this.passwordFor(actor, body));
    return { isPassed: isPassed(items), items };
  }

  /** Saves the destination with its app, once it has passed its check. */
  async create(actor: Actor, body: CreateDestinationBody): Promise<string> {
    const settings = parseSettings(body.settings);
    const password = parsePassword(body.credentials);
    const items = await checkWith(settings, password);
    assertPassed(items);
    const { organizationId } = actor;
    const appId = newId();
    const credentials = await this.access.sealPassword(organizationId, appId, password);
    const destinationId = await this.tenants.of(organizationId).$transaction(async (transaction) => {
      await transaction.app.create({
        data: {
          id: appId,
          organizationId,
          provider: 'postgresql',
          displayName: `${settings.user} at ${settings.host}`,
          authMode: 'password',
          credentials,
          credentialHint: settings.user,
          state: 'connected',
          createdBy: actor.uid,
        },
      });
      const destination = await transaction.destination.create({
        data: {
          id: newId(),
          organizationId,
          appId,
          name: body.name,
          settings,
          lastCheck: lastCheck(items),
          createdBy: actor.uid,
        },
      });
      return destination.id;
    });
    const target = { type: 'destination', id: destinationId, name: body.name };
    await this.audit.record(actor, { action: 'destination.created', target, after: { settings } });
    return destinationId;
  }

  async update(actor: Actor, destinationId: string, body: UpdateDestinationBody): Promise<void> {
    const { organizationId } = actor;
    const current = await this.queries.getDestination(organizationId, destinationId);
    const settings = body.settings ? parseSettings(body.settings) : current.settings;
    const password = body.credentials
      ? parsePassword(body.credentials)
      : await this.access.password(organizationId, current.appId);
    const items = await checkWith(settings, password);
    assertPassed(items);
    const credentials = await this.access.sealPassword(organizationId, current.appId, password);
    await this.tenants.of(organizationId).$transaction(async (transaction) => {
      const { count } = await transaction.destination.updateMany({
        where: { id: destinationId, version: body.version, deletedAt: null },
        data: {
          name: body.name,
          settings,
          state: 'ready',
          failure: Prisma.DbNull,
          lastCheck: lastCheck(items),
          version: { increment: 1 },
        },
      });
      if (count === 0)
        throw new Problem('conflict.version', {
          detail: 'Somebody changed this destination meanwhile.',
          action: 'Reload and try again',
        });
      await transaction.app.update({ where: { id: current.appId }, data: { credentials, credentialHint: settings.user } });
    });
    const target = { type: 'destination', id: destinationId, name: body.name ?? current.name };
    const before = { name: current.name, settings: current.settings };
    await this.audit.record(actor, { action: 'destination.updated', target, before, after: { name: body.name, settings } });
  }

  async delete(actor: Actor, destinationId: string): Promise<void> {
    const { usedBy, name, appId } = await this.queries.getDestination(actor.organizationId, destinationId);
    if (usedBy > 0) {
      throw new Problem('destination.in_use', {
        detail: `${name} receives ${usedBy} connections.`,
        action: 'Delete those first',
      });
    }
    await this.tenants
      .of(actor.organizationId)
      .destination.update({ where: { id: destinationId }, data: { deletedAt: new Date() } });
    await this.audit.record(actor, { action: 'destination.deleted', target: { type: 'destination', id: destinationId, name } });
    await this.apps.delete(actor, appId);
  }

  /** Checks a saved destination, and keeps what was found. */
  async recheck(organizationId: string, destinationId: string): Promise<void> {
    const items = await this.checkSaved(organizationId, destinationId);
    const failed = items.find((item) => item.state === 'failed');
    await this.tenants.of(organizationId).destination.update({
      where: { id: destinationId },
      data: {
        lastCheck: lastCheck(items),
        state: failed ? stateAfter(failed) : 'ready',
        failure: failed ? failureOf(failed) : Prisma.DbNull,
      },
    });
  }

  async checkSaved(organizationId: string, destinationId: string): Promise<CheckItem[]> {
    const destination = await this.queries.getDestination(organizationId, destinationId);
    return checkWith(destination.settings, await this.access.password(organizationId, destination.appId));
  }

  /** Opens the destination for writing; the caller closes it. */
  async open(organizationId: string, destinationId: string): Promise<Destination> {
    const destination = await this.queries.getDestination(organizationId, destinationId);
    return postgresql.open(
      connectorSettings(destination.settings, await this.access.password(organizationId, destination.appId)),
    );
  }

  /** A run met a setting that only people can mend. */
  async markBroken(organizationId: string, destinationId: string, error: FixSettings): Promise<void> {
    const state = error.failureClass === 'permission' ? 'permission_denied' : 'unreachable';
    await this.tenants
      .of(organizationId)
      .destination.updateMany({ where: { id: destinationId }, data: { state, failure: { ...toFailure(error) } } });
  }

  private async passwordFor(actor: Actor, body: CheckDestinationBody): Promise<string> {
    if (body.credentials || !body.destinationId) return parsePassword(body.credentials);
    const destination = await this.queries.getDestination(actor.organizationId, body.destinationId);
    return this.access.password(actor.organizationId, destination.appId);
  }
}

async function checkWith(settings: Settings, password: string): Promise<CheckItem[]> {
  const destination = postgresql.open(connectorSettings(settings, password));
  try {
    return await destination.check({ signal: AbortSignal.timeout(CHECK_TIMEOUT_MS), onRequest: () => undefined });
  } finally {
    await destination.close();
  }
}

const isPassed = (items: CheckItem[]): boolean => items.every((item) => item.state === 'passed');

const lastCheck = (items: CheckItem[]): Prisma.InputJsonObject => ({
  at: new Date().toISOString(),
  items: items.map((item) => ({ ...item })),
});

function assertPassed(items: CheckItem[]): void {
  const failed = items.find((item) => item.state === 'failed');
  if (!failed) return;
  throw new Problem('destination.check_failed', {
    detail: failed.detail ?? failed.label,
    action: failed.action ?? 'Mend the settings',
    checks: items,
  });
}

const stateAfter = (failed: CheckItem): 'unreachable' | 'permission_denied' =>
  ['resolves', 'connects'].includes(failed.code) ? 'unreachable' : 'permission_denied';

const failureOf = (failed: CheckItem): Prisma.InputJsonObject => ({
  class: 'destination',
  code: `postgresql.${failed.code}`,
  message: failed.detail ?? failed.label,
  action: failed.action ?? 'Mend the settings',
  providerRequestId: null,
});
