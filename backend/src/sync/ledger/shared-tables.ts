import type { Stream, Targets } from '../../connectors/kit/contract.js';
import { FixSettings } from '../../connectors/kit/errors.js';
import { type ExcludedColumns, writesSameColumns } from '../../connectors/kit/rows/excluded-columns.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';

// SQL: compares columns in JSON over the connections of a table, in the transaction of the lease.

/** An older connection that writes a stream of the same accounts into the same table with other fields. */
export interface Conflict {
  connectionId: string;
  name: string;
  stream: Stream;
  table: string;
  /** Columns that one of the two connections hashes. */
  hashed: string[];
}

interface Sharing extends Record<string, unknown> {
  connectionId: string;
  name: string;
  stream: string;
  leftOut: ExcludedColumns;
  hashed: ExcludedColumns;
  ownLeftOut: ExcludedColumns;
  ownHashed: ExcludedColumns;
}

/**
 * Compares the actual tables, independent of the settings. The oldest connection always continues, so that the result does not
 * change when a third connection is added.
 */
export async function findConflicts(
  query: TenantQuery,
  connectionId: string,
  streams: Map<string, Stream>,
  targets: Targets,
): Promise<Conflict[]> {
  const names = [...targets.keys()];
  const rows = await query<Sharing>(
    `select c.id as "connectionId", c.name, l.stream, c.left_out as "leftOut", c.hashed, mine.left_out as "ownLeftOut", mine.hashed as "ownHashed"
       from unnest($3::text[], $4::text[]) as t(stream, place)
       join stream_targets l on l.organization_id = $1 and l.stream = t.stream and l.target = t.place and l.connection_id <> $2
       join connections c on c.organization_id = $1 and c.id = l.connection_id and c.deleted_at is null and l.stream = any(c.streams)
       join connections mine on mine.organization_id = $1 and mine.id = $2 and (c.created_at, c.id) < (mine.created_at, mine.id)
       join sources s on s.organization_id = $1 and s.id = c.source_id
       join sources own on own.organization_id = $1 and own.id = mine.source_id and own.account_ids && s.account_ids
       join apps a on a.organization_id = $1 and a.id = s.app_id
       join apps own_app on own_app.organization_id = $1 and own_app.id = own.app_id and own_app.provider = a.provider
      order by c.created_at, c.id`,
    [connectionId, names, names.map((name) => targets.get(name)?.place)],
  );
  return rows.flatMap((row) => {
    const stream = streams.get(row.stream);
    if (!stream || writesSameColumns(stream, row, { leftOut: row.ownLeftOut, hashed: row.ownHashed })) return [];
    const table = targets.get(row.stream)?.table ?? '';
    const hashed = [...(row.hashed[row.stream] ?? []), ...(row.ownHashed[row.stream] ?? [])];
    return [{ connectionId: row.connectionId, name: row.name, stream, table, hashed }];
  });
}

/**
 * Days that this connection loaded before it was rejected emptied cells of the older connection. The older connection loads all
 * of its days again, and this connection's days no longer count as loaded.
 */
export async function undoEmptying(
  query: TenantQuery,
  connectionId: string,
  conflicts: Conflict[],
  written: Map<string, Stream>,
) {
  for (const { stream, connectionId: older, hashed } of conflicts) {
    const kept = written.get(stream.name)?.columns.map(({ name }) => name) ?? [];
    const emptied = stream.columns.map(({ name }) => name).filter((name) => !kept.includes(name) || hashed.includes(name));
    await query(
      `update stream_targets set columns = columns - $5::text[]
        where organization_id = $1 and connection_id = $3 and stream = $4
          and exists (select from coverage where organization_id = $1 and connection_id = $2 and stream = $4)`,
      [connectionId, older, stream.name, emptied],
    );
  }
  await query('delete from coverage where organization_id = $1 and connection_id = $2 and stream = any($3::text[])', [
    connectionId,
    conflicts.map(({ stream }) => stream.name),
  ]);
}

/** This connection writes the column `held`, and with the same kind of values: text or hashes. */
const IS_SAME_CELL = `(t.columns ? held.name and (held.identity like '%#sha256') = (t.columns->>held.name like '%#sha256'))`;

/**
 * Connections that wrote more fields of these rows and do not write them now (deleted, or without the stream). This connection
 * empties those cells, so all days have to be loaded again when the other connection returns.
 */
export async function markEmptied(query: TenantQuery, connectionId: string, written: Targets): Promise<void> {
  const targets = [...written];
  await query(
    `update stream_targets l
        set columns = (select coalesce(jsonb_object_agg(held.name, held.identity), '{}')
                         from jsonb_each_text(l.columns) as held(name, identity) where ${IS_SAME_CELL})
       from unnest($3::text[], $4::text[], $5::jsonb[]) as t(stream, place, columns), connections c, sources s, connections mine, sources own
      where l.organization_id = $1 and l.target = t.place and l.stream = t.stream and l.connection_id <> $2
        and exists (select from jsonb_each_text(l.columns) as held(name, identity) where not ${IS_SAME_CELL})
        and c.organization_id = $1 and c.id = l.connection_id and s.organization_id = $1 and s.id = c.source_id
        and mine.organization_id = $1 and mine.id = $2 and own.organization_id = $1 and own.id = mine.source_id
        and own.account_ids && s.account_ids`,
    [
      connectionId,
      targets.map(([stream]) => stream),
      targets.map(([, { place }]) => place),
      targets.map(([, { columns }]) => JSON.stringify(columns)),
    ],
  );
}

export const fieldsDiffer = ({ name, table }: Conflict): FixSettings =>
  new FixSettings({
    code: 'sync.fields_differ',
    message: `"${name}" writes the same accounts into ${table} with other fields. The connections would empty each other's cells. Nothing was loaded.`,
    action: `Choose the same fields as in "${name}", or a destination with another table prefix`,
  });
