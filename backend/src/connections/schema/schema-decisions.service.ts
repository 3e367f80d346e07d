import { Injectable } from '@nestjs/common';
import type { Actor } from '../../access/index.js';
import { Alerts } from '../../alerts/index.js';
import { AuditService } from '../../audit/index.js';
import type { SchemaChange } from '../../generated/prisma/client.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { type TenantClient, TenantDatabase, type TenantQuery } from '../../core/database/tenant-database.js';
import {
  type ColumnDifference,
  decideSchemaChange,
  differencesColumn,
  type Selection,
  SyncService,
  takeOver,
} from '../../sync/index.js';
import { resumed } from '../pausing/resumed.js';
import { nextRunAt, type Schedule } from '../schedule/schedule.js';
import { actionsOf } from './decisions.js';

// SQL: locks the connection's row, as a run that finds changes does.

type Transaction = Pick<TenantClient, 'schemaChange' | 'connection' | '$queryRawUnsafe'>;

interface LockedConnection extends Selection {
  id: string;
  name: string;
  isActive: boolean;
  /** Paused by the policy, not by a user. */
  isWaiting: boolean;
  schedule: Schedule;
}

/** Approves and ignores schema changes. A connection that its policy paused resumes with the last decision. */
@Injectable()
export class SchemaDecisions {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly audit: AuditService,
    private readonly sync: SyncService,
    private readonly alerts: Alerts,
  ) {}

  async approve(actor: Actor, connectionId: string, changeId: string): Promise<void> {
    await this.decide(actor, connectionId, changeId, 'approve');
  }

  async ignore(actor: Actor, connectionId: string, changeId: string): Promise<void> {
    await this.decide(actor, connectionId, changeId, 'ignore');
  }

  /** A run loads what the decision changed. */
  private async decide(actor: Actor, connectionId: string, changeId: string, decision: 'approve' | 'ignore'): Promise<void> {
    const { organizationId, uid } = actor;
    await this.tenants.write(organizationId, async (transaction, query) => {
      await this.sync.lockActiveIn(query, connectionId);
      const connection = await lockConnection(query, connectionId);
      const change = await findPending(transaction, connectionId, changeId);
      assertPossible(change, connection, decision);
      const state = decision === 'approve' ? 'approved' : 'ignored';
      await decideSchemaChange(transaction, { organizationId, id: changeId, state, decidedBy: uid });
      const isResumed = connection.isWaiting && (await hasNoPending(transaction, connectionId));
      if (decision === 'approve' || isResumed)
        await save(transaction, connection, decision === 'approve' ? change : null, isResumed);
      if (isResumed) await this.alerts.recover(query, organizationId, connectionId, ['connection.paused']);
      const target = { type: 'connection', id: connectionId, name: connection.name };
      const after = { stream: change.stream, kind: change.kind, columns: columnsOf(change) };
      await this.audit.record(actor, { action: `connection.schema_change_${state}`, target, after }, query);
      if (!isResumed && (decision === 'ignore' || !connection.isActive)) return;
      // An active run writes the previous selection, so it is canceled.
      await this.sync.cancelActiveIn(query, organizationId, connectionId);
      await this.sync.startIn(query, { organizationId, connectionId, kind: 'catch_up', trigger: 'user', actor: uid });
    });
  }
}

const diffOf = ({ diff }: SchemaChange): ColumnDifference[] => differencesColumn.get(diff);
const columnsOf = (change: SchemaChange): string[] => diffOf(change).map(({ column }) => column);

/** The same lock as a run that finds changes, so that the two cannot overwrite each other. */
async function lockConnection(query: TenantQuery, connectionId: string): Promise<LockedConnection> {
  const [connection] = await query<Record<string, unknown> & LockedConnection>(
    `select id, name, streams, left_out as "leftOut", schedule, desired = 'active' as "isActive",
            desired = 'paused' and paused_reason = 'schema_change' as "isWaiting"
       from connections where organization_id = $1 and id = $2::uuid and deleted_at is null for no key update`,
    [connectionId],
  );
  if (!connection) throw notFound('The connection');
  return connection;
}

async function findPending(transaction: Transaction, connectionId: string, id: string): Promise<SchemaChange> {
  const change = await transaction.schemaChange.findFirst({ where: { id, connectionId } });
  if (!change) throw notFound('The schema change');
  if (change.state === 'pending') return change;
  throw new Problem('schema_change.decided', {
    detail: `The change is ${change.state}.`,
    action: 'Refresh the list of changes',
  });
}

function assertPossible(change: SchemaChange, { streams }: LockedConnection, decision: 'approve' | 'ignore'): void {
  const { kind, stream } = change;
  const actions = actionsOf(kind);
  if (actions.length === 0)
    throw new Problem('schema_change.not_decidable', {
      detail: `Columns of ${stream} have another type at the destination: ${columnsOf(change).join(', ')}. Runs fail while they have it.`,
      action: 'Restore the types of the columns',
    });
  if (!actions.includes(decision))
    throw new Problem('schema_change.not_decidable', {
      detail: `The source no longer offers this part of ${stream}, so the change cannot be ignored.`,
      action: 'Approve the change',
    });
  if (kind === 'stream_removed' && streams.every((name) => name === stream))
    throw new Problem('schema_change.not_decidable', {
      detail: `${stream} is the only stream of the connection.`,
      action: 'Select another stream first, or delete the connection',
    });
}

async function hasNoPending(transaction: Transaction, connectionId: string): Promise<boolean> {
  const where = { connectionId, state: 'pending' as const, kind: { not: 'table_changed' as const } };
  return (await transaction.schemaChange.count({ where })) === 0;
}

/** @param change the approved change; null: nothing is added or removed */
async function save(
  transaction: Transaction,
  connection: LockedConnection,
  change: SchemaChange | null,
  isResumed: boolean,
): Promise<void> {
  const { streams, leftOut } = change ? takeOver(connection, { ...change, diff: diffOf(change) }) : connection;
  const now = new Date();
  const active = { ...resumed(now), nextRunAt: nextRunAt(connection.schedule, now) };
  await transaction.connection.updateMany({
    where: { id: connection.id },
    data: { streams, leftOut: leftOut as Record<string, string[]>, ...(isResumed && active), version: { increment: 1 } },
  });
}
