import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AnalyticsService } from '../analytics/index.js';
import { AuditService } from '../audit/index.js';
import { Entitlements } from '../billing/index.js';
import type { ExcludedColumns } from '../connectors/kit/rows/excluded-columns.js';
import { DeleterService, RESTORABLE_DAYS } from '../organizations/index.js';
import type { Connection } from '../generated/prisma/client.js';
import { dayToDate } from '../core/database/days.js';
import { newId } from '../core/database/identifiers.js';
import { notFound, Problem, versionConflict } from '../core/http/problem.js';
import { queryWithin, TenantDatabase } from '../core/database/tenant-database.js';
import { type OpenSource, SourcesService } from '../sources/index.js';
import { SyncService } from '../sync/index.js';
import type { CreateConnectionBody, UpdateConnectionBody } from './connections.dto.js';
import { includesMore, readExcludedColumns, unknownStreams } from './excluded-columns.js';
import type { ScheduleBody } from './schedule/schedule.dto.js';
import { nextRunAt, type Schedule } from './schedule/schedule.js';
import { SharedTables, type Writer } from './shared-tables.service.js';

const RESTORABLE_MS = RESTORABLE_DAYS * 86_400_000;
const RESUMED = { desired: 'active', pausedAt: null, pausedBy: null } as const;

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
  ) {}

  onModuleInit(): void {
    this.deleters.register('connection', { permission: 'connections.write', delete: (actor, id) => this.delete(actor, id) });
    this.deleters.beforeDelete((organizationId) => this.cancelAll(organizationId));
  }

  /** Creates the connection. Its first run starts automatically. */
  async create(actor: Actor, body: CreateConnectionBody): Promise<string> {
    const { organizationId } = actor;
    const leftOut = await this.assertParts(organizationId, body);
    const id = newId();
    await this.tenants.of(organizationId).$transaction(async (transaction) => {
      const query = queryWithin(transaction, organizationId);
      await this.entitlements.assertRoomForConnection(query);
      await transaction.connection.create({
        data: {
          id,
          organizationId,
          name: body.name,
          sourceId: body.sourceId,
          destinationId: body.destinationId,
          streams: body.streams,
          leftOut,
          ...scheduleColumns(body.schedule),
          lookbackDays: body.lookbackDays ?? null,
          historyFrom: dayToDate(body.historyFrom),
          tags: [],
          createdBy: actor.uid,
        },
      });
      await this.analytics.raiseOfConnection(query, { name: 'Connection Created', organizationId, connectionId: id });
    });
    await this.recordChange(actor, 'connection.created', id, body.name);
    await this.sync.start({ organizationId, connectionId: id, kind: 'manual', trigger: 'first_run', actor: actor.uid });
    return id;
  }

  async update(actor: Actor, connectionId: string, body: UpdateConnectionBody): Promise<void> {
    const tenant = this.tenants.of(actor.organizationId);
    const current = await tenant.connection.findFirst({ where: { id: connectionId, deletedAt: null } });
    if (!current) throw notFound('The connection');
    const leftOut = await this.assertChange(actor.organizationId, current, body);
    const { count } = await tenant.connection.updateMany({
      where: { id: connectionId, version: body.version, deletedAt: null },
      data: {
        name: body.name,
        streams: body.streams,
        leftOut,
        ...(body.schedule ? scheduleColumns(body.schedule) : {}),
        lookbackDays: body.lookbackDays,
        historyFrom: body.historyFrom ? dayToDate(body.historyFrom) : undefined,
        tags: body.tags,
        version: { increment: 1 },
      },
    });
    if (count === 0) throw versionConflict('connection');
    const { version: _, ...changes } = body;
    await this.recordChange(actor, 'connection.updated', connectionId, current.name, { ...changes });
    if (leftOut && includesMore(current.leftOut as ExcludedColumns, leftOut))
      await this.loadIncluded(actor, connectionId, current.desired);
  }

  /** An active run still excludes the columns. It is canceled, and a new run loads all days with them. */
  private async loadIncluded({ organizationId, uid }: Actor, connectionId: string, desired: string): Promise<void> {
    if (desired !== 'active' || (await this.entitlements.isClosed(organizationId))) return;
    await this.sync.cancelActive(organizationId, connectionId);
    await this.sync.start({ organizationId, connectionId, kind: 'catch_up', trigger: 'user', actor: uid });
  }

  async run(actor: Actor, connectionId: string): Promise<string> {
    const { organizationId } = actor;
    const connection = await this.tenants
      .of(organizationId)
      .connection.findFirst({ where: { id: connectionId, deletedAt: null } });
    if (!connection) throw notFound('The connection');
    if (connection.desired === 'paused')
      throw new Problem('connection.paused', { detail: `${connection.name} is paused.`, action: 'Resume the connection first' });
    await this.recordChange(actor, 'connection.run', connectionId, connection.name);
    return this.sync.start({ organizationId, connectionId, kind: 'manual', trigger: 'user', actor: actor.uid });
  }

  /** Stops the schedule and the active run. Deletes nothing here or at the destination. */
  async pause(actor: Actor, connectionId: string): Promise<void> {
    const [paused] = await this.tenants.of(actor.organizationId).connection.updateManyAndReturn({
      where: { id: connectionId, deletedAt: null },
      data: { desired: 'paused', pausedAt: new Date(), pausedBy: actor.uid },
    });
    if (!paused) throw notFound('The connection');
    await this.recordChange(actor, 'connection.paused', connectionId, paused.name);
    await this.sync.cancelActive(actor.organizationId, connectionId);
  }

  /** Starts a run immediately, which loads the missed days. */
  async resume(actor: Actor, connectionId: string): Promise<void> {
    const { organizationId } = actor;
    const tenant = this.tenants.of(organizationId);
    const connection = await tenant.connection.findFirst({ where: { id: connectionId, deletedAt: null } });
    if (!connection) throw notFound('The connection');
    if (connection.desired === 'active') return;
    await tenant.connection.update({
      where: { id: connectionId },
      data: {
        ...RESUMED,
        nextRunAt: nextRunAt(connection.schedule as unknown as Schedule, new Date()),
      },
    });
    await this.recordChange(actor, 'connection.resumed', connectionId, connection.name);
    await this.sync.start({ organizationId, connectionId, kind: 'catch_up', trigger: 'user', actor: actor.uid });
  }

  async delete(actor: Actor, connectionId: string): Promise<void> {
    const { organizationId, uid: userId } = actor;
    const deleted = await this.tenants.of(organizationId).$transaction(async (transaction) => {
      const [gone] = await transaction.connection.updateManyAndReturn({
        where: { id: connectionId, deletedAt: null },
        data: { deletedAt: new Date(), desired: 'paused', nextRunAt: null },
      });
      const query = queryWithin(transaction, organizationId);
      if (gone)
        await this.analytics.raiseOfConnection(query, { name: 'Connection Deleted', organizationId, connectionId, userId });
      return gone;
    });
    if (!deleted) throw notFound('The connection');
    await this.recordChange(actor, 'connection.deleted', connectionId, deleted.name);
    await this.sync.cancelActive(organizationId, connectionId);
  }

  /** Restores a deleted connection within 30 days. A run loads the missed days. */
  async restore(actor: Actor, connectionId: string): Promise<void> {
    const { organizationId } = actor;
    const tenant = this.tenants.of(organizationId);
    const deletedAt = { gt: new Date(Date.now() - RESTORABLE_MS) };
    const deleted = await tenant.connection.findFirst({
      where: { id: connectionId, deletedAt },
      include: { source: { select: { deletedAt: true } }, destination: { select: { deletedAt: true } } },
    });
    if (!deleted) throw notFound('The connection');
    if (deleted.source.deletedAt || deleted.destination.deletedAt) {
      const detail = `The source or the destination of ${deleted.name} was also deleted.`;
      throw new Problem('connection.parts_gone', { detail, action: 'Create a new connection' });
    }
    const source = await this.sources.open(organizationId, deleted.sourceId);
    await this.sharedTables.assertSameFields(organizationId, writerOf(deleted, source));
    const { count } = await tenant.$transaction(async (transaction) => {
      await this.entitlements.assertRoomForConnection(queryWithin(transaction, organizationId));
      return transaction.connection.updateMany({
        where: { id: connectionId, deletedAt },
        data: { deletedAt: null, ...RESUMED, nextRunAt: nextRunAt(deleted.schedule as unknown as Schedule, new Date()) },
      });
    });
    // A concurrent request has restored the connection and started its run.
    if (count === 0) return;
    await this.recordChange(actor, 'connection.restored', connectionId, deleted.name);
    await this.sync.start({ organizationId, connectionId, kind: 'catch_up', trigger: 'user', actor: actor.uid });
  }

  /** Called before an organization is deleted. Its schedules stop automatically and continue when it is restored. */
  private async cancelAll(organizationId: string): Promise<void> {
    const connections = await this.tenants.of(organizationId).connection.findMany({ select: { id: true } });
    for (const { id } of connections) await this.sync.cancelActive(organizationId, id);
  }

  private recordChange(actor: Actor, action: string, id: string, name: string, after?: object): Promise<void> {
    return this.audit.record(actor, { action, target: { type: 'connection', id, name }, after });
  }

  /** Returns the excluded columns in their stored form. */
  private async assertParts(organizationId: string, body: CreateConnectionBody): Promise<ExcludedColumns> {
    const destination = await this.tenants
      .of(organizationId)
      .destination.findFirst({ where: { id: body.destinationId, deletedAt: null } });
    if (!destination) throw notFound('The destination');
    const source = await this.sources.open(organizationId, body.sourceId);
    assertStreams(source, body.streams);
    assertHistory(source, body.historyFrom);
    const leftOut = readExcludedColumns(source.connector.streams, body.leftOut);
    await this.sharedTables.assertSameFields(organizationId, { ...body, connectionId: null, source, leftOut });
    return leftOut;
  }

  private async assertChange(
    organizationId: string,
    current: Connection,
    { streams, historyFrom, leftOut }: UpdateConnectionBody,
  ): Promise<ExcludedColumns | undefined> {
    if (!streams && !historyFrom && !leftOut) return undefined;
    const source = await this.sources.open(organizationId, current.sourceId);
    if (streams) assertStreams(source, streams);
    if (historyFrom) assertHistory(source, historyFrom);
    const changed = leftOut && readExcludedColumns(source.connector.streams, leftOut);
    if (streams || changed)
      await this.sharedTables.assertSameFields(organizationId, writerOf(current, source, { streams, leftOut: changed }));
    return changed;
  }
}

function writerOf(
  { id, destinationId, streams, leftOut }: Connection,
  source: OpenSource,
  change: { streams?: string[] | undefined; leftOut?: ExcludedColumns | undefined } = {},
): Writer {
  const current = { streams, leftOut: leftOut as ExcludedColumns };
  return {
    connectionId: id,
    source,
    destinationId,
    streams: change.streams ?? current.streams,
    leftOut: change.leftOut ?? current.leftOut,
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

function scheduleColumns(body: ScheduleBody): { schedule: Schedule; nextRunAt: Date | null } {
  const schedule = toSchedule(body);
  return { schedule, nextRunAt: nextRunAt(schedule, new Date()) };
}

export function toSchedule({ kind, timeZone, everyMinutes, atTime, cron }: ScheduleBody): Schedule {
  if (kind === 'interval') return { kind, everyMinutes: everyMinutes ?? 60, timeZone };
  if (kind === 'daily') return { kind, atTime: atTime ?? '06:00', timeZone };
  return kind === 'cron' ? { kind, cron: cron ?? '', timeZone } : { kind, timeZone };
}
