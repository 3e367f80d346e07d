import type { ProviderName } from '../connectors/kit/contract.js';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { assertNotDeletedIn } from '../apps/index.js';
import { Alerts } from '../alerts/index.js';
import { AuditService } from '../audit/index.js';
import { Connectors } from '../catalog/index.js';
import { Prisma } from '../generated/prisma/client.js';
import { newId } from '../core/database/identifiers.js';
import { TenantDatabase, type TenantQuery, type TenantTransaction } from '../core/database/tenant-database.js';
import { notFound, Problem, versionConflict } from '../core/http/problem.js';
import { DomainEvents } from '../core/jobs/domain-events.js';
import { DeleterService } from '../organizations/index.js';
import { RESTORABLE_DAYS } from '../core/database/restorable.js';
import type { ConversionRulesBody, ConversionSourceBody, CreateConversionBody, UpdateConversionBody } from './conversions.dto.js';
import { resumed } from './pausing/resumed.js';
import { ConversionRuns, READ_AGAIN, startAllWithin, startWithin } from './run/conversion-runs.js';
import { canRead, columnsOf, isOtherSource, parseSourceOf, scheduleColumns, toSettings } from './settings/conversion-columns.js';
import type { ConversionSettings } from './settings/open-conversion.js';

const RESTORABLE_MS = RESTORABLE_DAYS * 86_400_000;

/** Creates and changes conversions. A change, its audit entry and its first run commit together. */
@Injectable()
export class ConversionsService implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
    private readonly audit: AuditService,
    private readonly deleters: DeleterService,
    private readonly runs: ConversionRuns,
    private readonly events: DomainEvents,
    private readonly alerts: Alerts,
  ) {}

  onModuleInit(): void {
    this.deleters.register('conversion', { permission: 'conversions.write', delete: (actor, id) => this.delete(actor, id) });
    this.deleters.inRestoreTransaction(startAllWithin);
    // A conversion that fails keeps its waits, so that many pushes do not make many failed runs.
    this.events.on('push.received', ({ organizationId, appId }) => this.runs.startAllOfApp(organizationId, appId, true));
    this.events.on('payment.received', ({ organizationId, appId }) => this.runs.startAllOfApp(organizationId, appId, true));
  }

  async create(actor: Actor, body: CreateConversionBody): Promise<string> {
    const { organizationId } = actor;
    const settings = await this.readRules(organizationId, body);
    const id = newId();
    await this.write(actor, async (transaction, query) => {
      await assertAppsNotDeletedIn(query, settings);
      await transaction.conversion.create({
        data: {
          ...{ id, organizationId, name: body.name, createdBy: actor.uid, since: body.since ? new Date(body.since) : new Date() },
          ...columnsOf(settings, body),
          ...scheduleColumns(body.schedule),
        },
      });
      await startWithin(query, organizationId, id);
      return { action: 'conversion.created', id, name: body.name, after: auditedOf(body) };
    });
    return id;
  }

  async update(actor: Actor, conversionId: string, body: UpdateConversionBody): Promise<void> {
    const { organizationId } = actor;
    await this.find(this.tenants.of(organizationId), conversionId);
    const settings = body.rules && (await this.readRules(organizationId, body.rules));
    await this.write(actor, async (transaction, query) => {
      const current = await this.find(transaction, conversionId);
      if (settings) await assertAppsNotDeletedIn(query, settings);
      const { count } = await transaction.conversion.updateMany({
        where: { id: conversionId, version: body.version },
        data: {
          name: body.name,
          ...(settings && body.rules ? { ...columnsOf(settings, body.rules), failure: Prisma.DbNull, failures: 0 } : {}),
          // Another query or event begins at the start, because its cursor may have another form.
          ...(settings && isOtherSource(current, settings) ? { cursor: Prisma.DbNull } : {}),
          ...(body.schedule ? scheduleColumns(body.schedule) : {}),
          ...READ_AGAIN,
          version: { increment: 1 },
        },
      });
      if (count === 0) throw versionConflict('conversion');
      if (current.desired === 'active') await startWithin(query, organizationId, conversionId);
      return {
        action: 'conversion.updated',
        id: conversionId,
        name: body.name ?? current.name,
        after: body.rules && auditedOf(body.rules),
      };
    });
  }

  /** Events that were read stay, and are sent after it is resumed unless they are too old then. */
  async pause(actor: Actor, conversionId: string): Promise<void> {
    await this.write(actor, async (transaction) => {
      const { name } = await this.find(transaction, conversionId);
      await transaction.conversion.update({
        where: { id: conversionId },
        // A running worker keeps its claim, to store the answer to its last request. It stops before the next one.
        data: {
          ...{ desired: 'paused', pausedAt: new Date(), pausedBy: actor.uid, pausedReason: 'user' },
          pausedFailure: Prisma.DbNull,
        },
      });
      await closeRuns(transaction, conversionId);
      return { action: 'conversion.paused', id: conversionId, name };
    });
  }

  async resume(actor: Actor, conversionId: string): Promise<void> {
    await this.write(actor, async (transaction, query) => {
      const { name } = await this.find(transaction, conversionId);
      await transaction.conversion.update({ where: { id: conversionId }, data: resumed(new Date()) });
      await this.alerts.recover(query, actor.organizationId, conversionId, ['conversion.paused']);
      await startWithin(query, actor.organizationId, conversionId);
      return { action: 'conversion.resumed', id: conversionId, name };
    });
  }

  async run(actor: Actor, conversionId: string): Promise<void> {
    await this.write(actor, async (transaction, query) => {
      const { name, desired } = await this.find(transaction, conversionId);
      if (desired === 'paused')
        throw new Problem('conversion.paused', { detail: `${name} is paused.`, action: 'Resume the conversion first' });
      await transaction.conversion.update({ where: { id: conversionId }, data: READ_AGAIN });
      await startWithin(query, actor.organizationId, conversionId);
      return { action: 'conversion.run', id: conversionId, name };
    });
  }

  async delete(actor: Actor, conversionId: string): Promise<void> {
    await this.write(actor, async (transaction, query) => {
      const { name } = await this.find(transaction, conversionId);
      await transaction.conversion.update({ where: { id: conversionId }, data: { deletedAt: new Date() } });
      await closeRuns(transaction, conversionId);
      await this.alerts.close(query, conversionId);
      return { action: 'conversion.deleted', id: conversionId, name };
    });
  }

  /** Does nothing if it is not deleted. */
  async restore(actor: Actor, conversionId: string): Promise<void> {
    const { organizationId } = actor;
    await this.write(actor, async (transaction, query) => {
      const conversion = await transaction.conversion.findFirst({
        where: { id: conversionId, OR: [{ deletedAt: null }, { deletedAt: { gt: new Date(Date.now() - RESTORABLE_MS) } }] },
        include: { targetApp: true, sourceApp: true, sourceDestination: true },
      });
      if (!conversion) throw notFound('The conversion');
      if (!conversion.deletedAt) return null;
      const isGone = [conversion.targetApp, conversion.sourceApp, conversion.sourceDestination].some((part) => part?.deletedAt);
      if (isGone)
        throw new Problem('conversion.parts_gone', {
          detail: `The app or destination of ${conversion.name} was deleted.`,
          action: 'Restore or connect it, or create a new conversion',
        });
      await assertAppsNotDeletedIn(query, conversion);
      await transaction.conversion.update({
        where: { id: conversionId },
        data: { ...READ_AGAIN, deletedAt: null, resumedAt: new Date() },
      });
      if (conversion.desired === 'active') await startWithin(query, organizationId, conversionId);
      return { action: 'conversion.restored', id: conversionId, name: conversion.name };
    });
  }

  /** Validates the rules, and that source and target exist in the organization. */
  async readRules(organizationId: string, body: ConversionRulesBody): Promise<ConversionSettings> {
    const { source, target } = body;
    const provider = await this.providerOf(organizationId, target.appId);
    const connector = this.connectors.getConversionTarget(provider);
    await this.assertSource(organizationId, source);
    return toSettings(connector, body);
  }

  /** Validates a source and returns its provider. */
  async assertSource(organizationId: string, { appId, destinationId, settings }: ConversionSourceBody): Promise<ProviderName> {
    const ofDestination = destinationId ? await this.providerOfDestination(organizationId, destinationId) : null;
    const ofApp = appId ? await this.providerOf(organizationId, appId) : null;
    const provider = ofDestination ?? ofApp;
    if (!provider || (ofDestination && ofApp)) throw invalid('source', 'Enter either source.appId or source.destinationId');
    if (!canRead(provider, Boolean(destinationId)))
      throw invalid(destinationId ? 'source.destinationId' : 'source.appId', 'Events cannot be read from it');
    parseSourceOf(this.connectors, provider, settings);
    return provider;
  }

  private async providerOfDestination(organizationId: string, id: string): Promise<ProviderName> {
    const destination = await this.tenants
      .of(organizationId)
      .destination.findFirst({ where: { id, deletedAt: null }, include: { app: true } });
    if (!destination) throw notFound('The destination');
    return destination.app.provider;
  }

  private async providerOf(organizationId: string, id: string): Promise<ProviderName> {
    const app = await this.tenants.of(organizationId).app.findFirst({ where: { id, deletedAt: null } });
    if (!app) throw notFound('The app');
    return app.provider;
  }

  private async find(transaction: Pick<TenantTransaction, 'conversion'>, conversionId: string) {
    const conversion = await transaction.conversion.findFirst({ where: { id: conversionId, deletedAt: null } });
    if (!conversion) throw notFound('The conversion');
    return conversion;
  }

  /** One transaction for the change and its audit entry. */
  private async write(
    actor: Actor,
    work: (
      transaction: TenantTransaction,
      query: TenantQuery,
    ) => Promise<{ action: string; id: string; name: string; after?: object | undefined } | null>,
  ): Promise<void> {
    const { organizationId } = actor;
    await this.tenants.write(organizationId, async (transaction, query) => {
      const entry = await work(transaction, query);
      if (!entry) return;
      const { action, id, name, after } = entry;
      const target = { type: 'conversion', id, name };
      await this.audit.record(actor, { action, target, ...(after && { after }) }, query);
    });
  }
}

const invalid = (field: string, message: string): Problem =>
  new Problem('request.invalid', { detail: `${field}: ${message}`, errors: [{ field, message }] });

/** The query of a source may contain constants such as e-mail addresses. */
const auditedOf = ({ source, target, mapping }: ConversionRulesBody): object => ({
  source: { appId: source.appId, destinationId: source.destinationId },
  target: { appId: target.appId, name: target.name },
  fields: Object.keys(mapping),
});

async function closeRuns(transaction: TenantTransaction, conversionId: string): Promise<void> {
  await transaction.conversionRun.updateMany({
    where: { conversionId, state: { in: ['running', 'waiting'] } },
    data: { state: 'failed', endedAt: new Date() },
  });
}

/** Otherwise the app could be deleted before the transaction ends. */
async function assertAppsNotDeletedIn(
  query: TenantQuery,
  { sourceAppId, targetAppId }: Pick<ConversionSettings, 'sourceAppId' | 'targetAppId'>,
): Promise<void> {
  for (const appId of [sourceAppId, targetAppId]) if (appId) await assertNotDeletedIn(query, appId);
}
