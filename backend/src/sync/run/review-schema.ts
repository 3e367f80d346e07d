import type { Stream } from '../../connectors/kit/contract.js';
import { type ExcludedColumns, needOf } from '../../connectors/kit/rows/excluded-columns.js';
import type { SchemaChangeKind, SchemaChangeState, SchemaPolicy } from '../../generated/prisma/client.js';
import { findDifferences, type OfferedStreams, type SchemaDifference } from './schema-diff.js';

/** A change that waits for a decision. */
export interface PendingChange extends Pick<SchemaDifference, 'stream' | 'kind' | 'diff'> {
  id: string;
}

/** What a connection writes. */
export interface Selection {
  streams: string[];
  leftOut: ExcludedColumns;
}

export interface Review {
  /** New changes, with the state in which they are stored. */
  found: (SchemaDifference & { state: SchemaChangeState })[];
  /** Pending changes that no longer need a decision. */
  closed: { id: string; state: SchemaChangeState }[];
  selection: Selection;
  /** Whether the policy pauses the connection until the changes are decided. */
  isPaused: boolean;
}

interface ReviewInput extends Selection {
  policy: SchemaPolicy;
  known: OfferedStreams;
  offered: Stream[];
  pending: PendingChange[];
}

/** The destination's table. Its changes fail runs or are repaired by them, whatever the policy is. */
const OF_TABLE: SchemaChangeKind[] = ['table_changed', 'table_columns_lost'];

/**
 * Decides by policy what a connection writes after a change of its source. A new column that waits for a decision is excluded
 * until then, like a column that a user excludes. A column that was written before is never excluded.
 */
export function reviewSchema({ policy, known, offered, pending, ...current }: ReviewInput): Review {
  const streams = new Map(offered.map((stream) => [stream.name, stream]));
  let selection: Selection = { streams: current.streams, leftOut: current.leftOut };
  const closed: Review['closed'] = [];
  const waiting: PendingChange[] = [];
  for (const change of pending.filter(({ kind }) => !OF_TABLE.includes(kind))) {
    const state =
      outcomeOf(change, streams.get(change.stream), selection) ?? (isAutomatic(policy, change.kind) ? 'applied' : null);
    if (state === null) waiting.push(change);
    else closed.push({ id: change.id, state });
    if (state === 'applied') selection = takeOver(selection, change);
  }
  const found = findDifferences(known, offered, current.streams).map((difference) => {
    const isApplied = isAutomatic(policy, difference.kind) || isAllNeeded(policy, difference, streams.get(difference.stream));
    if (isApplied) selection = takeOver(selection, difference);
    else selection = withhold(selection, difference, streams.get(difference.stream));
    return { ...difference, state: isApplied ? ('applied' as const) : ('pending' as const) };
  });
  const isPaused = policy === 'pause' && (waiting.length > 0 || found.some(({ state }) => state === 'pending'));
  return { found, closed, selection, isPaused };
}

/** A stream that is gone is never removed from a connection automatically: its runs fail until a user decides. */
function isAutomatic(policy: SchemaPolicy, kind: SchemaChangeKind): boolean {
  if (kind === 'stream_removed') return false;
  if (kind === 'stream_added') return policy === 'propagate_all';
  if (kind === 'columns_added') return policy === 'propagate_all' || policy === 'propagate_columns';
  return policy !== 'pause';
}

/** Columns that identify or verify rows cannot be excluded, so there is nothing to approve. */
function isAllNeeded(policy: SchemaPolicy, { kind, diff }: SchemaDifference, stream: Stream | undefined): boolean {
  return policy === 'approve' && kind === 'columns_added' && sparesOf(diff, stream).length === 0;
}

/** The state of a change that users decided in the settings, or that the source took back; null if it still waits. */
function outcomeOf(
  { stream: name, kind, diff }: PendingChange,
  stream: Stream | undefined,
  { streams, leftOut }: Selection,
): 'applied' | 'reverted' | null {
  const isSelected = streams.includes(name);
  if (kind === 'stream_removed') return stream ? 'reverted' : isSelected ? null : 'applied';
  if (!stream) return 'reverted';
  if (kind === 'stream_added') return isSelected ? 'applied' : null;
  if (kind !== 'columns_added') return null;
  if (diff.every(({ column }) => !stream.columns.some((one) => one.name === column))) return 'reverted';
  const spares = sparesOf(diff, stream);
  return spares.length > 0 && !spares.some((column) => leftOut[name]?.includes(column)) ? 'applied' : null;
}

const sparesOf = (diff: SchemaDifference['diff'], stream: Stream | undefined): string[] =>
  diff.map(({ column }) => column).filter((column) => stream && needOf(stream, column) === null);

/** The selection with the added streams and columns of a change. */
export function takeOver(
  { streams, leftOut }: Selection,
  { stream, kind, diff }: Pick<SchemaDifference, 'stream' | 'kind' | 'diff'>,
): Selection {
  if (kind === 'stream_added') return { streams: [...new Set([...streams, stream])], leftOut };
  if (kind === 'stream_removed') return { streams: streams.filter((name) => name !== stream), leftOut };
  if (kind !== 'columns_added') return { streams, leftOut };
  const added = diff.map(({ column }) => column);
  const { [stream]: excluded = [], ...others } = leftOut;
  const kept = excluded.filter((column) => !added.includes(column));
  return { streams, leftOut: kept.length > 0 ? { ...others, [stream]: kept } : others };
}

function withhold(
  { streams, leftOut }: Selection,
  { stream: name, kind, diff }: SchemaDifference,
  stream: Stream | undefined,
): Selection {
  const spares = kind === 'columns_added' ? sparesOf(diff, stream) : [];
  if (spares.length === 0) return { streams, leftOut };
  return { streams, leftOut: { ...leftOut, [name]: [...new Set([...(leftOut[name] ?? []), ...spares])] } };
}
