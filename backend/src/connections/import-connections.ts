import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/index.js';
import { AnalyticsService } from '../analytics/index.js';
import { Entitlements } from '../billing/index.js';
import type { Stream } from '../connectors/kit/contract.js';
import { type FieldChoice, writesSameColumns } from '../connectors/kit/rows/excluded-columns.js';
import { dayToDate } from '../core/database/days.js';
import type { TenantClient, TenantQuery } from '../core/database/tenant-database.js';
import { databaseNow, DomainEvents } from '../core/jobs/domain-events.js';
import type { Connection } from '../generated/prisma/client.js';
import { SyncService } from '../sync/index.js';
import {
  addsDays,
  changedScheduleColumns,
  hasOtherTarget,
  needsReload,
  scheduleColumns,
  targetColumn,
} from './connection-settings.js';
import type { LeftOutColumns } from './excluded-columns.dto.js';
import { readExcludedColumns } from './excluded-columns.js';
import type { FreshnessTargetBody } from './freshness-target.dto.js';
import type { HashedFields } from './hashed-fields.dto.js';
import { readHashedFields } from './hashed-fields.js';
import type { EmptyPolicyName, SchemaPolicyName } from './schema/schema.dto.js';
import type { ScheduleBody } from './schedule/schedule.dto.js';

type Transaction = Pick<TenantClient, 'connection'>;

export interface ImportedConnection extends FieldChoice {
  id: string;
  name: string;
  sourceId: string;
  destinationId: string;
  streams: string[];
  schedule: ScheduleBody;
  lookbackDays: number | null;
  freshnessTarget?: FreshnessTargetBody | null;
  historyFrom: string;
  schemaPolicy: SchemaPolicyName;
  emptyPolicy: EmptyPolicyName;
  tags: string[];
}

/** `import`: until its apps are connected. */
type FirstState = { desired: 'active' } | { desired: 'paused'; reason: 'user' | 'import' };

/** Saves connections of a configuration file in the transaction of the import. */
@Injectable()
export class ImportConnections {
  constructor(
    private readonly sync: SyncService,
    private readonly analytics: AnalyticsService,
    private readonly entitlements: Entitlements,
    private readonly events: DomainEvents,
  ) {}

  /** Throws a problem for a column that the stream does not have, or that cannot be excluded or hashed. */
  readFields(streams: Stream[], leftOut: LeftOutColumns[], hashedFields: HashedFields[]): FieldChoice {
    return { leftOut: readExcludedColumns(streams, leftOut), hashed: readHashedFields(streams, hashedFields) };
  }

  /** Streams that both write with other fields. */
  differingStreams(streams: Stream[], left: FieldChoice, right: FieldChoice): string[] {
    return streams.filter((stream) => !writesSameColumns(stream, left, right)).map(({ name }) => name);
  }

  /** An active connection starts its first run. */
  async createWithin(
    transaction: Transaction,
    query: TenantQuery,
    { organizationId, uid }: Actor,
    { id, ...given }: ImportedConnection,
    state: FirstState,
  ): Promise<void> {
    await this.entitlements.assertRoomForConnection(query);
    const paused = state.desired === 'paused' && { pausedAt: new Date(), pausedBy: uid, pausedReason: state.reason };
    await transaction.connection.create({
      data: {
        id,
        organizationId,
        createdBy: uid,
        ...columnsOf(given),
        ...scheduleColumns(given.schedule),
        desired: state.desired,
        ...paused,
      },
    });
    await this.analytics.raiseOfConnection(query, { name: 'Connection Created', organizationId, connectionId: id });
    if (given.freshnessTarget) await this.events.emit(query, 'freshness.target_changed', { organizationId, connectionId: id });
    if (state.desired === 'active')
      await this.sync.startWithin(query, [{ connectionId: id, kind: 'manual', trigger: 'first_run', actor: uid }]);
  }

  /** If days have to be loaded again, an event cancels the active run, which still writes the previous fields, and starts another one. */
  async updateWithin(
    transaction: Transaction,
    query: TenantQuery,
    { organizationId, uid: actor }: Actor,
    { id, ...given }: ImportedConnection,
  ): Promise<void> {
    const current: Connection = await transaction.connection.findFirstOrThrow({ where: { id } });
    await transaction.connection.update({
      where: { id },
      data: { ...columnsOf(given), ...changedScheduleColumns(current, given.schedule), version: { increment: 1 } },
    });
    if (hasOtherTarget(current, given.freshnessTarget ?? null))
      await this.events.emit(query, 'freshness.target_changed', { organizationId, connectionId: id });
    if (needsReload(current, given)) {
      const changedAt = await databaseNow(query);
      await this.events.emit(query, 'connection.fields_changed', { organizationId, connectionId: id, actor, changedAt });
    } else if (addsDays(current, given)) {
      await this.events.emit(query, 'connection.days_added', { organizationId, connectionId: id, actor });
    }
  }
}

const columnsOf = ({ schedule: _schedule, historyFrom, freshnessTarget = null, ...columns }: Omit<ImportedConnection, 'id'>) => ({
  ...columns,
  ...targetColumn(freshnessTarget),
  historyFrom: dayToDate(historyFrom),
});
