import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { Alerts } from '../alerts/index.js';
import { AnalyticsService } from '../analytics/index.js';
import { AuditService } from '../audit/index.js';
import { Entitlements } from '../billing/index.js';
import type { ExcludedColumns, FieldChoice } from '../connectors/kit/rows/excluded-columns.js';
import { DeleterService } from '../organizations/index.js';
import { RESTORABLE_DAYS } from '../core/database/restorable.js';
import { type Connection, Prisma } from '../generated/prisma/client.js';
import { dayToDate } from '../core/database/days.js';
import { newId } from '../core/database/identifiers.js';
import { notFound, Problem, versionConflict } from '../core/http/problem.js';
import { type TenantQuery, TenantDatabase } from '../core/database/tenant-database.js';
import { DomainEvents } from '../core/jobs/domain-events.js';
import { type OpenSource, SourcesService } from '../sources/index.js';
import { type RunRequest, SyncService } from '../sync/index.js';
import type { CloneConnectionBody } from './clone.dto.js';
import {
  addsDays,
  changedScheduleColumns,
  hasOtherTarget,
  needsReload,
  scheduleColumns,
  targetColumn,
} from './connection-settings.js';
import type { CreateConnectionBody, UpdateConnectionBody } from './connections.dto.js';
import { readExcludedColumns, unknownStreams } from './excluded-columns.js';
import { freshnessTargetColumn } from './freshness-target.dto.js';
import { resumed } from './pausing/resumed.js';
import { readHashedFields } from './hashed-fields.js';
import { nextRunAt, scheduleColumn } from './schedule/schedule.js';
import { SharedTables, type Writer } from './shared-tables.service.js';

// SQL: runs in the transactions that delete and restore an organization, with their handles for SQL.

const RESTORABLE_MS = RESTORABLE_DAYS * 86_400_000;
/** Connections of a payment are changed together with the payment only. */
const OWN = { deletedAt: null, paymentId: null } as const;

@Injectable()
export class ConnectionsService implements OnModuleInit {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly sources: SourcesService,
    private readonly sync: SyncService,
    private readonly audit: AuditService,
    private readonly deleters: DeleterService,
    private readonly entitlements: Entitlements,
    private readonly analytics: AnalyticsService,
    private readonly sharedTables: SharedTables,
    private readonly alerts: Alerts,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.deleters.register('connection', { permission: 'connections.write', delete: (actor, id) => this.delete(actor, id) });
    this.deleters.inDeleteTransaction((query, organizationId) => this.sync.cancelActiveIn(query, organizationId, null));
    const watchOtherDaysOfAll = (query: TenantQuery, organizationId: string) => this.watchOtherDaysOfAll(query, organizationId);
    this.deleters.inDeleteTransaction(watchOtherDaysOfAll);
    this.deleters.inRestoreTransaction(watchOtherDaysOfAll);
  }

  /** Creates the connection. Its first run starts automatically. */
  async create(actor: Actor, body: CreateConnectionBody): Promise<string> {
    const { organizationId } = actor;
    const fields = await this.assertParts(organizationId, body);
    const id = newId();
    await this.tenants.write(organizationId, async (transaction, query) => {
      await this.entitlements.assertRoomForConnection(query);
      await transaction.connection.create({
        data: {
          id,
          organizationId,
          name: body.name,
          sourceId: body.sourceId,
          destinationId: body.destinationId,
          streams: body.streams,
          ...fields,
          ...scheduleColumns(body.schedule),
          lookbackDays: body.lookbackDays ?? null,
          ...targetColumn(body.freshnessTarget),
          historyFrom: dayToDate(body.historyFrom),
          tags: body.tags ?? [],
          schemaPolicy: body.schemaPolicy,
          emptyPolicy: body.emptyPolicy,
          createdBy: actor.uid,
        },
      });
      await this.analytics.raiseOfConnection(query, { name: 'Connection Created', organizationId, connectionId: id });
      if (body.freshnessTarget) await this.watchOtherDays(query, organizationId, id);
      await this.recordChange(query, actor, 'connection.created', { id, name: body.name });
      await this.sync.startIn(query, {
        organizationId,
        connectionId: id,
        kind: 'manual',
        trigger: 'first_run',
        actor: actor.uid,
      });
    });
    return id;
  }

  /** Copies all settings. The copy is paused, because both would load the same rows. */
  async clone(actor: Actor, connectionId: string, { name, destinationId: wanted }: CloneConnectionBody): Promise<string> {
    const { organizationId, uid } = actor;
    const tenant = this.tenants.of(organizationId);
    const original = await tenant.connection.findFirst({ where: { id: connectionId, ...OWN } });
    if (!original) throw notFound('The connection');
    const destinationId = wanted ?? original.destinationId;
    if ((await tenant.destination.count({ where: { id: destinationId, deletedAt: null } })) === 0)
      throw notFound('The destination');
    const id = newId();
    const source = await this.sources.open(organizationId, original.sourceId);
    await this.sharedTables.assertSameFields(organizationId, {
      ...writerOf(original, source),
      connectionId: null,
      destinationId,
    });
    await this.tenants.write(organizationId, async (transaction, query) => {
      await this.entitlements.assertRoomForConnection(query);
      await transaction.connection.create({
        data: { ...settingsOf(original), ...pausedBy(uid), id, name, destinationId, createdBy: uid },
      });
      await this.analytics.raiseOfConnection(query, { name: 'Connection Created', organizationId, connectionId: id });
      if (original.freshnessTarget) await this.watchOtherDays(query, organizationId, id);
      await this.recordChange(query, actor, 'connection.cloned', { id, name }, { original: original.name });
    });
    return id;
  }

  async update(actor: Actor, connectionId: string, body: UpdateConnectionBody): Promise<void> {
    const tenant = this.tenants.of(actor.organizationId);
    const current = await tenant.connection.findFirst({ where: { id: connectionId, ...OWN } });
    if (!current) throw notFound('The connection');
    const fields = await this.assertChange(actor.organizationId, current, body);
    const { version, ...changes } = body;
    const loadsAgain =
      needsReload(current, fields) && current.desired === 'active' && !(await this.entitlements.isClosed(actor.organizationId));
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      // An active run still writes the previous fields. It is canceled, and a new run loads all days with the present ones.
      if (loadsAgain) await this.sync.cancelActiveIn(query, actor.organizationId, connectionId);
      const { count } = await transaction.connection.updateMany({
        where: { id: connectionId, version, ...OWN },
        data: {
          name: body.name,
          streams: body.streams,
          ...fields,
          ...(body.schedule ? changedScheduleColumns(current, body.schedule) : {}),
          lookbackDays: body.lookbackDays,
          ...targetColumn(body.freshnessTarget),
          historyFrom: body.historyFrom ? dayToDate(body.historyFrom) : undefined,
          tags: body.tags,
          schemaPolicy: body.schemaPolicy,
          emptyPolicy: body.emptyPolicy,
          version: { increment: 1 },
        },
      });
      if (count === 0) throw versionConflict('connection');
      if (hasOtherTarget(current, body.freshnessTarget)) await this.watchOtherDays(query, actor.organizationId, connectionId);
      await this.recordChange(query, actor, 'connection.updated', current, { ...changes });
      if (loadsAgain) await this.sync.startIn(query, this.catchUpOf(actor, connectionId));
      else if (addsDays(current, body))
        await this.events.emit(query, 'connection.days_added', {
          organizationId: actor.organizationId,
          connectionId,
          actor: actor.uid,
        });
    });
  }

  async run(actor: Actor, connectionId: string): Promise<string> {
    const { organizationId } = actor;
    const connection = await this.tenants.of(organizationId).connection.findFirst({ where: { id: connectionId, ...OWN } });
    if (!connection) throw notFound('The connection');
    return this.tenants.transaction(organizationId, async (query) => {
      const desired = await this.sync.lockIn(query, connectionId);
      if (desired === null) throw notFound('The connection');
      if (desired === 'paused')
        throw new Problem('connection.paused', {
          detail: `${connection.name} is paused.`,
          action: 'Resume the connection first',
        });
      await this.recordChange(query, actor, 'connection.run', connection);
      return this.sync.startIn(query, { organizationId, connectionId, kind: 'manual', trigger: 'user', actor: actor.uid });
    });
  }

  /** Stops the schedule and the active run. Deletes nothing here or at the destination. */
  async pause(actor: Actor, connectionId: string): Promise<void> {
    await this.tenants.write(actor.organizationId, async (transaction, query) => {
      await this.sync.cancelActiveIn(query, actor.organizationId, connectionId);
      const [paused] = await transaction.connection.updateManyAndReturn({
        where: { id: connectionId, ...OWN },
        data: { ...pausedBy(actor.uid), pausedFailure: Prisma.DbNull },
      });
      if (!paused) throw notFound('The connection');
      await this.recordChange(query, actor, 'connection.paused', paused);
    });
    // A run that was added in the meantime.
    await this.sync.cancelActive(actor.organizationId, connectionId);
  }

  /** Starts a run immediately, which loads the missed days. */
  async resume(actor: Actor, connectionId: string): Promise<void> {
    const { organizationId } = actor;
    const connection = await this.tenants.of(organizationId).connection.findFirst({ where: { id: connectionId, ...OWN } });
    if (!connection) throw notFound('The connection');
    if (connection.desired === 'active') return;
    const now = new Date();
    await this.tenants.write(organizationId, async (transaction, query) => {
      const { count } = await transaction.connection.updateMany({
        where: { id: connectionId, desired: 'paused', ...OWN },
        data: { ...resumed(now), nextRunAt: nextRunAt(scheduleColumn.get(connection.schedule), now) },
      });
      // Deleted in the meantime, or resumed by a concurrent request that has started its run.
      if (count === 0) return;
      await this.alerts.recover(query, organizationId, connectionId, ['connection.paused']);
      await this.recordChange(query, actor, 'connection.resumed', connection);
      await this.sync.startIn(query, this.catchUpOf(actor, connectionId));
    });
  }

  async delete(actor: Actor, connectionId: string): Promise<void> {
    const { organizationId, uid: userId } = actor;
    await this.tenants.write(organizationId, async (transaction, query) => {
      await this.sync.cancelActiveIn(query, organizationId, connectionId);
      const [gone] = await transaction.connection.updateManyAndReturn({
        where: { id: connectionId, ...OWN },
        data: { deletedAt: new Date(), desired: 'paused', nextRunAt: null },
      });
      if (!gone) throw notFound('The connection');
      await this.analytics.raiseOfConnection(query, { name: 'Connection Deleted', organizationId, connectionId, userId });
      await this.alerts.close(query, connectionId);
      if (gone.freshnessTarget) await this.watchOtherDays(query, organizationId, connectionId);
      await this.recordChange(query, actor, 'connection.deleted', gone);
    });
    // A run that was added in the meantime.
    await this.sync.cancelActive(organizationId, connectionId);
  }

  /** Restores a deleted connection within 30 days. A run loads the missed days. */
  async restore(actor: Actor, connectionId: string): Promise<void> {
    const { organizationId } = actor;
    const tenant = this.tenants.of(organizationId);
    const deletedAt = { gt: new Date(Date.now() - RESTORABLE_MS) };
    const deleted = await tenant.connection.findFirst({
      where: { id: connectionId, deletedAt, paymentId: null },
      include: { source: { select: { deletedAt: true } }, destination: { select: { deletedAt: true } } },
    });
    if (!deleted) throw notFound('The connection');
    if (deleted.source.deletedAt || deleted.destination.deletedAt) {
      const detail = `The source or the destination of ${deleted.name} was also deleted.`;
      throw new Problem('connection.parts_gone', { detail, action: 'Create a new connection' });
    }
    const source = await this.sources.open(organizationId, deleted.sourceId);
    await this.sharedTables.assertSameFields(organizationId, writerOf(deleted, source));
    const now = new Date();
    await this.tenants.write(organizationId, async (transaction, query) => {
      await this.entitlements.assertRoomForConnection(query);
      const { count } = await transaction.connection.updateMany({
        where: { id: connectionId, deletedAt },
        data: { deletedAt: null, ...resumed(now), nextRunAt: nextRunAt(scheduleColumn.get(deleted.schedule), now) },
      });
      // A concurrent request has restored the connection and started its run.
      if (count === 0) return;
      if (deleted.freshnessTarget) await this.watchOtherDays(query, organizationId, connectionId);
      await this.recordChange(query, actor, 'connection.restored', deleted);
      await this.sync.startIn(query, this.catchUpOf(actor, connectionId));
    });
  }

  private catchUpOf({ organizationId, uid }: Actor, connectionId: string): RunRequest {
    return { organizationId, connectionId, kind: 'catch_up', trigger: 'user', actor: uid };
  }

  /** The target was set, changed or removed, or the connection or its organization was deleted or restored. */
  private watchOtherDays(query: TenantQuery, organizationId: string, connectionId: string): Promise<void> {
    return this.events.emit(query, 'freshness.target_changed', { organizationId, connectionId });
  }

  /** Of a deleted organization nothing is watched. Without its earlier days, none of them becomes late after a restore. */
  private async watchOtherDaysOfAll(query: TenantQuery, organizationId: string): Promise<void> {
    const watched = await query<{ id: string }>(
      `select id from connections
        where organization_id = $1 and deleted_at is null and payment_id is null and freshness_target is not null order by id`,
    );
    for (const { id } of watched) await this.watchOtherDays(query, organizationId, id);
  }

  private recordChange(
    query: TenantQuery,
    actor: Actor,
    action: string,
    { id, name }: { id: string; name: string },
    after?: object,
  ): Promise<void> {
    return this.audit.record(actor, { action, target: { type: 'connection', id, name }, after }, query);
  }

  /** Returns the excluded and the hashed columns in their stored form. */
  private async assertParts(organizationId: string, body: CreateConnectionBody): Promise<FieldChoice> {
    const destination = await this.tenants
      .of(organizationId)
      .destination.findFirst({ where: { id: body.destinationId, deletedAt: null } });
    if (!destination) throw notFound('The destination');
    const source = await this.sources.open(organizationId, body.sourceId);
    assertStreams(source, body.streams);
    assertHistory(source, body.historyFrom);
    const leftOut = readExcludedColumns(source.connector.streams, body.leftOut);
    const hashed = readHashedFields(source.connector.streams, body.hashedFields);
    await this.sharedTables.assertSameFields(organizationId, { ...body, connectionId: null, source, leftOut, hashed });
    return { leftOut, hashed };
  }

  private async assertChange(
    organizationId: string,
    current: Connection,
    { streams, historyFrom, leftOut, hashedFields }: UpdateConnectionBody,
  ): Promise<Partial<FieldChoice>> {
    if (!streams && !historyFrom && !leftOut && !hashedFields) return {};
    const source = await this.sources.open(organizationId, current.sourceId);
    if (streams) assertStreams(source, streams);
    if (historyFrom) assertHistory(source, historyFrom);
    const changed = {
      ...(leftOut && { leftOut: readExcludedColumns(source.connector.streams, leftOut) }),
      ...(hashedFields && { hashed: readHashedFields(source.connector.streams, hashedFields) }),
    };
    if (streams || leftOut || hashedFields)
      await this.sharedTables.assertSameFields(organizationId, writerOf(current, source, { streams, ...changed }));
    return changed;
  }
}

const pausedBy = (uid: string) => ({ desired: 'paused', pausedAt: new Date(), pausedBy: uid, pausedReason: 'user' }) as const;

/** Everything that a copy has in common with its original, except the name and the destination. */
const settingsOf = (
  original: Connection,
): Omit<Prisma.ConnectionUncheckedCreateInput, 'id' | 'name' | 'destinationId' | 'createdBy'> => ({
  organizationId: original.organizationId,
  sourceId: original.sourceId,
  streams: original.streams,
  leftOut: original.leftOut as Prisma.InputJsonObject,
  hashed: original.hashed as Prisma.InputJsonObject,
  schemaPolicy: original.schemaPolicy,
  emptyPolicy: original.emptyPolicy,
  schedule: original.schedule as Prisma.InputJsonObject,
  lookbackDays: original.lookbackDays,
  ...targetColumn(freshnessTargetColumn.read(original.freshnessTarget)),
  historyFrom: original.historyFrom,
  tags: original.tags,
});

function writerOf(
  { id, destinationId, streams, leftOut, hashed }: Connection,
  source: OpenSource,
  change: { streams?: string[] | undefined } & Partial<FieldChoice> = {},
): Writer {
  const current = { streams, leftOut: leftOut as ExcludedColumns, hashed: hashed as ExcludedColumns };
  return {
    connectionId: id,
    source,
    destinationId,
    streams: change.streams ?? current.streams,
    leftOut: change.leftOut ?? current.leftOut,
    hashed: change.hashed ?? current.hashed,
  };
}

function assertStreams({ connector }: OpenSource, streams: string[]): void {
  const unknown = streams.filter((name) => !connector.streams.some((stream) => stream.name === name));
  if (unknown.length > 0) throw unknownStreams(unknown);
}

/** Days that the platform has deleted would count as missing forever. */
function assertHistory({ providerName, earliestAvailable }: OpenSource, historyFrom: string): void {
  if (earliestAvailable === null || historyFrom >= earliestAvailable) return;
  throw new Problem('connection.history_gone', {
    detail: `${providerName} no longer has daily data of ${historyFrom}. Its first day is ${earliestAvailable}.`,
    action: `Choose ${earliestAvailable} or a later day`,
  });
}
