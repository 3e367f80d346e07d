import { Injectable } from '@nestjs/common';
import type { Stream, Target, Targets } from '../../connectors/kit/contract.js';
import type { ColumnsChanged, FixSettings } from '../../connectors/kit/errors.js';
import { differOnlyInHash } from '../../connectors/kit/rows/hashed-columns.js';
import { convertedColumns, isUnified } from '../../connectors/kit/unified.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';
import type { Lease } from './lease.js';
import { RunQueue } from '../jobs/run-queue.js';
import { RunLedger } from './run-ledger.js';
import { type Conflict, fieldsDiffer, findConflicts, markEmptied, undoEmptying } from './shared-tables.js';

// SQL: fenced by the lease; changes columns in JSON of many rows in one statement, locked in order.

/** Stored as the identity of a lost column, so that any column found later counts as new. */
export const LOST = 'lost';
/** Longer lists of columns show only the number of further columns. */
const NAMED_COLUMNS = 10;

/** Why the days of a stream have to be loaded again. */
export interface Change {
  stream: string;
  table: string;
  isMoved: boolean;
  /** Columns that this connection has not written yet. */
  added: string[];
  /** Columns that it has written and that have been replaced since. */
  lost: string[];
  /** Columns whose values are hashes now, or are not hashes any more. */
  rehashed: string[];
  /** Whether its costs were converted to another currency. */
  isReconverted: boolean;
}

/** The streams of a run, by name. */
export interface Streams {
  /** With all columns. */
  streams: Map<string, Stream>;
  /** Without the columns that the connection excludes. */
  written: Map<string, Stream>;
}

type Columns = Record<string, string>;

interface Loaded {
  target: string;
  /** Null: loaded before columns were stored. */
  columns: Columns | null;
  /** Currency of its converted costs. Null: none, or not known. */
  convertedCurrency: string | null;
}

/** A target with the currency of its converted costs; null: it has none. */
type WrittenTarget = Target & { convertedCurrency: string | null };

/**
 * Stores the table and the columns into which each stream of a connection was loaded. If the destination then has another table,
 * or a column without the loaded values, the days of the stream count as missing and are loaded again.
 */
@Injectable()
export class StreamTargets {
  constructor(
    private readonly ledger: RunLedger,
    private readonly queue: RunQueue,
  ) {}

  /**
   * For streams loaded before columns were stored: the current columns of the table count as loaded, for every connection that
   * writes it. Called before the table is changed, so that every connection detects a column that is added from now on.
   */
  async adopt(lease: Lease, targets: Targets): Promise<void> {
    const found = [...targets.values()];
    await this.ledger.fenced(lease, (query) =>
      query(
        // Ordered rows avoid a deadlock: two runs of the same table may do this at the same time.
        `with unknown as (
           select l.connection_id, l.stream, t.columns
             from unnest($2::text[], $3::jsonb[]) as t(place, columns)
             join stream_targets l on l.organization_id = $1 and l.target = t.place and l.columns is null
            order by l.connection_id, l.stream for update of l)
         update stream_targets l
            set columns = u.columns - array(select jsonb_array_elements_text(coalesce(c.left_out->l.stream, '[]')))
           from unknown u, connections c
          where l.organization_id = $1 and l.connection_id = u.connection_id and l.stream = u.stream
            and c.organization_id = l.organization_id and c.id = l.connection_id`,
        [found.map(({ place }) => place), found.map(({ columns }) => JSON.stringify(columns))],
      ),
    );
  }

  /**
   * Returns the changes for which days were deleted. Also deletes the existing plan, because it counted these days as loaded. A
   * conflict is returned, not thrown, because the data stored about it must be committed.
   * @param currency to which this run converts costs; null: it does not
   */
  async save(
    lease: Lease,
    { streams, written: narrowed }: Streams,
    targets: Targets,
    currency: string | null,
  ): Promise<{ changes: Change[]; conflict: FixSettings | null }> {
    let changes: Change[] = [];
    let conflicts: Conflict[] = [];
    await this.ledger.fenced(lease, async (query) => {
      conflicts = await findConflicts(query, lease.connectionId, streams, targets);
      if (conflicts.length > 0) return undoEmptying(query, lease.connectionId, conflicts, narrowed);
      const known = await findLoaded(query, lease.connectionId);
      const written = new Map(
        [...targets].map(([name, target]) => [name, convertedTo(currency, target, narrowed.get(name), streams.get(name))]),
      );
      const found = [...written].flatMap(([name, target]) => changeOf(name, target, known.get(name)) ?? []);
      const lost = await loseDays(query, lease.connectionId, found);
      changes = found.filter(({ stream }) => lost.has(stream));
      if (changes.length > 0 && lease.isPlanned) await deletePlan(query, lease.runId);
      if (changes.length > 0 && lease.track !== 'regular') await this.loadAgain(query, lease);
      await save(query, lease.connectionId, written, known);
      await markEmptied(query, lease.connectionId, written);
    });
    if (changes.length > 0) lease.isPlanned = false;
    return { changes, conflict: conflicts[0] ? fieldsDiffer(conflicts[0]) : null };
  }

  /** A reload or a backfill reads only its own days, so a regular run loads the others: now, or after the one that is active. */
  private async loadAgain(query: TenantQuery, { connectionId, runId }: Lease): Promise<void> {
    const request = { connectionId, kind: 'catch_up', trigger: 'destination', actor: null } as const;
    const queued = await this.queue.addWithin(query, [request]);
    if (queued.length > 0) return;
    await query(
      'update runs set has_follow_up = true, follow_up_actor = coalesce(follow_up_actor, actor) where organization_id = $1 and id = $2',
      [runId],
    );
  }

  /** The re-sync of a table that an older connection writes with other fields would empty its cells. */
  async assertNoConflict(lease: Lease, streams: Map<string, Stream>, targets: Targets): Promise<void> {
    let conflicts: Conflict[] = [];
    await this.ledger.fenced(lease, async (query) => {
      conflicts = await findConflicts(query, lease.connectionId, streams, targets);
    });
    if (conflicts[0]) throw fieldsDiffer(conflicts[0]);
  }

  /**
   * These columns lost their loaded values, for every connection of the table. They count as new once they can be written again.
   */
  async removeColumns(lease: Lease, { stream, differences }: ColumnsChanged): Promise<void> {
    const lost = Object.fromEntries(differences.map(({ column }) => [column, LOST]));
    await this.ledger.fenced(lease, (query) =>
      query(
        `update stream_targets l set columns = coalesce(l.columns, '{}') || $4::jsonb
           from stream_targets mine
          where l.organization_id = $1 and mine.organization_id = $1 and mine.connection_id = $2 and mine.stream = $3
            and l.target = mine.target`,
        [lease.connectionId, stream, JSON.stringify(lost)],
      ),
    );
  }
}

/** Sentences for the run's log. */
export function describeChange({ stream, table, isMoved, added, lost, rehashed, isReconverted }: Change): string[] {
  if (isMoved) return [`${stream} is written to a new target: its history is loaded again.`];
  const again = `all days of ${stream} are loaded again.`;
  return [
    ...(lost.length > 0
      ? [
          `${nameColumns(lost)} of ${table} ${lost.length === 1 ? 'was' : 'were'} dropped, renamed or replaced. ${refilled(lost)}: ${again}`,
        ]
      : []),
    ...(added.length > 0
      ? [`${nameColumns(added)} of ${table} ${added.length === 1 ? 'is' : 'are'} new to this connection: ${again}`]
      : []),
    ...(rehashed.length > 0 ? [`The setting of hashed fields changed for ${rehashed.join(', ')} of ${table}: ${again}`] : []),
    ...(isReconverted ? [`The currency of the organization changed: ${again}`] : []),
  ];
}

const refilled = (columns: string[]): string => (columns.length === 1 ? 'It is filled again' : 'They are filled again');

function nameColumns(columns: string[]): string {
  if (columns.length === 1) return `The column ${columns[0]}`;
  const more = columns.length - NAMED_COLUMNS;
  return `The columns ${columns.slice(0, NAMED_COLUMNS).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The target with only the columns that the connection writes. */
export function writtenTo(target: Target, stream: Stream | undefined): Target {
  const written = (stream?.columns ?? []).flatMap(({ name }) => {
    const identity = target.columns[name];
    return identity === undefined ? [] : [[name, identity] as const];
  });
  return { ...target, columns: Object.fromEntries(written) };
}

function convertedTo(
  currency: string | null,
  target: Target,
  written: Stream | undefined,
  stream: Stream | undefined,
): WrittenTarget {
  const own = writtenTo(target, written);
  const isConverted =
    stream !== undefined && isUnified(stream) && convertedColumns.some((name) => own.columns[name] !== undefined);
  return { ...own, convertedCurrency: isConverted ? currency : null };
}

/** A stream without a stored target counts as changed, because its loaded columns are unknown. */
function changeOf(
  stream: string,
  { place, table, columns, convertedCurrency }: WrittenTarget,
  known: Loaded | undefined,
): Change | null {
  const held = known?.columns ?? {};
  const names = Object.keys(columns);
  const added = names.filter((name) => held[name] === undefined);
  const changed = names.filter((name) => held[name] !== undefined && held[name] !== columns[name]);
  const rehashed = changed.filter((name) => differOnlyInHash(held[name] ?? '', columns[name] ?? ''));
  const lost = changed.filter((name) => !rehashed.includes(name));
  const isMoved = known?.target !== place;
  const before = known?.convertedCurrency ?? null;
  const isReconverted = before !== null && convertedCurrency !== null && before !== convertedCurrency;
  return isMoved || added.length > 0 || changed.length > 0 || isReconverted
    ? { stream, table, isMoved, added, lost, rehashed, isReconverted }
    : null;
}

async function findLoaded(query: TenantQuery, connectionId: string): Promise<Map<string, Loaded>> {
  const rows = await query<Loaded & { stream: string } & Record<string, unknown>>(
    'select stream, target, columns, converted_currency as "convertedCurrency" from stream_targets where organization_id = $1 and connection_id = $2',
    [connectionId],
  );
  return new Map(rows.map(({ stream, ...loaded }) => [stream, loaded]));
}

/** The days become missing and keep the sums of their last load. Returns the streams that had days. */
async function loseDays(query: TenantQuery, connectionId: string, changes: Change[]): Promise<Set<string>> {
  if (changes.length === 0) return new Set();
  const rows = await query<{ stream: string }>(
    // No plan would find days before the history of the connection that were never loaded.
    `with lost as (
       update coverage v set state = 'missing' from connections c
        where v.organization_id = $1 and v.connection_id = $2 and v.stream = any($3::text[])
          and c.organization_id = $1 and c.id = v.connection_id and (v.day >= c.history_from or v.first_loaded_at is not null)
       returning v.stream),
     gone as (
       delete from coverage v using connections c
        where v.organization_id = $1 and v.connection_id = $2 and v.stream = any($3::text[])
          and c.organization_id = $1 and c.id = v.connection_id and v.day < c.history_from and v.first_loaded_at is null
       returning v.stream)
     select distinct stream from gone union select distinct stream from lost`,
    [connectionId, changes.map(({ stream }) => stream)],
  );
  return new Set(rows.map(({ stream }) => stream));
}

export async function deletePlan(query: TenantQuery, runId: string): Promise<void> {
  await query('delete from run_slices where organization_id = $1 and run_id = $2', [runId]);
  await query(
    `update runs set window_from = null, window_to = null, rows_read = 0, rows_written = 0, bytes = 0
      where organization_id = $1 and id = $2`,
    [runId],
  );
}

/** Also removes a column that is no longer written: days loaded from now on lack it. */
async function save(
  query: TenantQuery,
  connectionId: string,
  targets: Map<string, WrittenTarget>,
  known: Map<string, Loaded>,
): Promise<void> {
  const changed = [...targets].filter(([stream, { place, columns, convertedCurrency }]) => {
    const held = known.get(stream);
    const isCurrencyKnown = convertedCurrency === null || convertedCurrency === held?.convertedCurrency;
    return held?.target !== place || !isSame(held.columns, columns) || !isCurrencyKnown;
  });
  if (changed.length === 0) return;
  await query(
    `insert into stream_targets (organization_id, connection_id, stream, target, columns, converted_currency)
     select $1, $2, stream, target, columns, converted_currency
       from unnest($3::text[], $4::text[], $5::jsonb[], $6::text[]) as t(stream, target, columns, converted_currency)
     on conflict (organization_id, connection_id, stream) do update
        set since = case when stream_targets.target = excluded.target then stream_targets.since else now() end,
            target = excluded.target, columns = excluded.columns,
            converted_currency = coalesce(excluded.converted_currency, stream_targets.converted_currency)`,
    [
      connectionId,
      changed.map(([stream]) => stream),
      changed.map(([, { place }]) => place),
      changed.map(([, { columns }]) => JSON.stringify(columns)),
      changed.map(([, { convertedCurrency }]) => convertedCurrency),
    ],
  );
}

function isSame(held: Columns | null, columns: Columns): boolean {
  const names = Object.keys(columns);
  return held !== null && names.length === Object.keys(held).length && names.every((name) => held[name] === columns[name]);
}
