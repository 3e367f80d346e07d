import { Injectable } from '@nestjs/common';
import type { Stream } from '../../connectors/kit/contract.js';
import type { ColumnsChanged } from '../../connectors/kit/errors.js';
import type { ExcludedColumns } from '../../connectors/kit/rows/excluded-columns.js';
import type { SchemaChangeState } from '../../generated/prisma/client.js';
import { newId } from '../../core/database/identifiers.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import { type Review, reviewSchema, type Selection } from '../run/review-schema.js';
import { describeDifference, isSameSchema, offeredStreamsOf, type SchemaDifference } from '../run/schema-diff.js';
import type { Lease } from './lease.js';
import { RunLedger } from './run-ledger.js';
import { RunLog } from './run-log.js';
import { SelectionWriter } from './selection-writer.js';
import type { Change } from './stream-targets.js';
import type { RunConnection } from './sync.queries.js';

// SQL: fenced by the lease, locks the connection, and writes many changes in one statement (unnest).

/** Finds and stores schema changes. All writes are fenced by the run's lease, so that each change is stored once. */
@Injectable()
export class SchemaChanges {
  constructor(
    private readonly ledger: RunLedger,
    private readonly log: RunLog,
    private readonly writer: SelectionWriter,
  ) {}

  /**
   * Compares the source with what it offered to the last run, and applies the connection's policy. Returns what the connection
   * writes from now on. The first run only stores what is offered.
   */
  async review(lease: Lease, connection: RunConnection, offered: Stream[]): Promise<Selection & { isPaused: boolean }> {
    const { knownSchema, pendingChanges, streams, leftOut } = connection;
    const schema = offeredStreamsOf(offered);
    if (knownSchema && isSameSchema(knownSchema, schema) && pendingChanges.length === 0)
      return { streams, leftOut, isPaused: false };
    let result = { streams, leftOut, isPaused: false };
    await this.ledger.fenced(lease, async (query) => {
      const current = await lockSelection(query, lease.connectionId);
      const known = knownSchema ?? schema;
      const policy = connection.schemaPolicy;
      const reviewed = reviewSchema({ policy, known, offered, pending: pendingChanges, ...current });
      await saveSchema(query, lease.connectionId, schema);
      await saveFound(query, lease, reviewed.found);
      await close(query, lease.connectionId, reviewed.closed);
      if (isChanged(current, reviewed.selection) || reviewed.isPaused)
        await this.writer.save(query, lease.connectionId, reviewed.selection, reviewed.isPaused);
      for (const difference of reviewed.found) await this.log.write(lease, 'warn', describeDifference(difference));
      result = { ...reviewed.selection, isPaused: reviewed.isPaused };
    });
    return result;
  }

  /** The destination's table has columns of another type. Every run finds it, and the change is stored once. */
  async saveTableChange(lease: Lease, { stream, differences }: ColumnsChanged): Promise<void> {
    const diff = differences.map(({ column, expected, found }) => ({ column, before: expected, after: found }));
    await this.ledger.fenced(lease, (query) =>
      query(
        `insert into schema_changes (organization_id, id, connection_id, stream, kind, diff, is_breaking, run_id)
         values ($1, $2, $3, $4, 'table_changed', $5, true, $6)
         on conflict (organization_id, connection_id, stream) where kind = 'table_changed' and state = 'pending'
         do update set diff = excluded.diff`,
        [newId(), lease.connectionId, stream, JSON.stringify(diff), lease.runId],
      ),
    );
  }

  /** The tables have the expected columns again. */
  async revertTableChanges(lease: Lease): Promise<void> {
    await this.ledger.fenced(lease, (query) =>
      query(
        `update schema_changes set state = 'reverted', decided_at = now()
          where organization_id = $1 and connection_id = $2 and kind = 'table_changed' and state = 'pending'`,
        [lease.connectionId],
      ),
    );
  }

  /** Columns of the destination's tables that were dropped, renamed or replaced, and that this run fills again. */
  async saveLostColumns(lease: Lease, changes: Change[]): Promise<void> {
    const lost = changes.filter((change) => !change.isMoved && change.lost.length > 0);
    if (lost.length === 0) return;
    const found = lost.map((change) => ({
      stream: change.stream,
      kind: 'table_columns_lost' as const,
      diff: change.lost.map((column) => ({ column, before: null, after: null })),
      isBreaking: false,
      state: 'applied' as const,
    }));
    await this.ledger.fenced(lease, (query) => saveFound(query, lease, found));
  }
}

/** The lock makes a concurrent change of the settings wait; it does not block new runs. */
async function lockSelection(query: TenantQuery, connectionId: string): Promise<Selection> {
  const [row] = await query<{ streams: string[]; leftOut: ExcludedColumns }>(
    `select streams, left_out as "leftOut" from connections where organization_id = $1 and id = $2 for no key update`,
    [connectionId],
  );
  if (!row) throw new Error('a run has a connection');
  return row;
}

async function saveSchema(query: TenantQuery, connectionId: string, streams: object): Promise<void> {
  await query(
    `insert into offered_schemas (organization_id, connection_id, streams) values ($1, $2, $3)
     on conflict (organization_id, connection_id) do update set streams = excluded.streams, changed_at = now()
      where offered_schemas.streams <> excluded.streams`,
    [connectionId, JSON.stringify(streams)],
  );
}

async function saveFound(
  query: TenantQuery,
  lease: Lease,
  found: (SchemaDifference & { state: SchemaChangeState })[],
): Promise<void> {
  if (found.length === 0) return;
  await query(
    `insert into schema_changes (organization_id, id, connection_id, stream, kind, diff, is_breaking, state, run_id, decided_at)
     select $1, id, $2, stream, kind::schema_change_kind, diff, is_breaking, state::schema_change_state, $3,
            case when state = 'pending' then null else now() end
       from unnest($4::uuid[], $5::text[], $6::text[], $7::jsonb[], $8::boolean[], $9::text[])
         as c(id, stream, kind, diff, is_breaking, state)`,
    [
      lease.connectionId,
      lease.runId,
      found.map(() => newId()),
      found.map(({ stream }) => stream),
      found.map(({ kind }) => kind),
      found.map(({ diff }) => JSON.stringify(diff)),
      found.map(({ isBreaking }) => isBreaking),
      found.map(({ state }) => state),
    ],
  );
}

async function close(query: TenantQuery, connectionId: string, closed: Review['closed']): Promise<void> {
  if (closed.length === 0) return;
  await query(
    `update schema_changes c set state = closed.state::schema_change_state, decided_at = now()
       from unnest($3::uuid[], $4::text[]) as closed(id, state)
      where c.organization_id = $1 and c.connection_id = $2 and c.id = closed.id and c.state = 'pending'`,
    [connectionId, closed.map(({ id }) => id), closed.map(({ state }) => state)],
  );
}

const isChanged = (before: Selection, { streams, leftOut }: Selection): boolean =>
  JSON.stringify(before) !== JSON.stringify({ streams, leftOut });
