import { formatDayRange } from '~/lib/dates';
import { plural } from '~/lib/numbers';
import type { CoverageState } from './coverage';
import type { Tone } from './connection-state';

export type BackfillState = 'scheduled' | 'running' | 'paused' | 'completed' | 'completed_with_errors' | 'failed' | 'cancelled';
export type ChunkState = 'pending' | 'running' | 'done' | 'failed';
export type BackfillPreset = 'last_30_days' | 'last_90_days' | 'this_year' | 'last_400_days' | 'all_available';

export const backfillTable: Record<BackfillState, { word: string; tone: Tone; isActive: boolean }> = {
  scheduled: { word: 'Queued', tone: 'idle', isActive: true },
  running: { word: 'Loading', tone: 'accent', isActive: true },
  paused: { word: 'Paused', tone: 'idle', isActive: true },
  completed: { word: 'Completed', tone: 'good', isActive: false },
  completed_with_errors: { word: 'Completed with errors', tone: 'warn', isActive: false },
  failed: { word: 'Failed', tone: 'danger', isActive: false },
  cancelled: { word: 'Canceled', tone: 'idle', isActive: false },
};

type WithState = { state: BackfillState };
type WithMode = WithState & { mode: 'fill_missing' | 'replace' | 'resync' };

/** Which actions a backfill allows now. */
export const backfillCan = {
  pause: ({ state }: WithState) => state === 'scheduled' || state === 'running',
  resume: ({ state }: WithState) => state === 'paused',
  // The new table of a failed re-sync is dropped.
  cancel: ({ state, mode }: WithMode) => backfillTable[state].isActive || (mode === 'resync' && state === 'failed'),
  retryFailed: ({ state }: WithState) => state === 'completed_with_errors' || state === 'failed',
};

export const PRESETS: readonly { value: BackfillPreset; label: string }[] = [
  { value: 'last_30_days', label: 'Last 30 days' },
  { value: 'last_90_days', label: 'Last 90 days' },
  { value: 'this_year', label: 'This year' },
  { value: 'last_400_days', label: 'Last 400 days' },
  { value: 'all_available', label: 'All available days' },
];

const chunkWords: Record<ChunkState, string> = {
  pending: 'waiting',
  running: 'loading',
  done: 'loaded',
  failed: 'failed',
};

interface DescribedChunk {
  from: string;
  to: string;
  state: ChunkState;
  rows: number;
  failure: { message: string } | null;
}

/** `Nov 13 – 20, loaded, 350 rows` */
export const chunkText = ({ from, to, state, rows, failure }: DescribedChunk, now: Date): string =>
  `${formatDayRange(from, to, now)}, ${chunkWords[state]}, ${plural(rows, 'row')}${failure ? `: ${failure.message}` : ''}`;

/** Chunks look like the cells of the coverage calendar. */
export const chunkMarks: Record<ChunkState, CoverageState> = {
  pending: 'missing',
  running: 'loading',
  done: 'final',
  failed: 'failed',
};

/** Why a paused backfill waits; null: a user paused it, or it is not paused. */
export function whyPaused(reason: string | null): string | null {
  if (reason === 'connection') return 'The connection is paused. It continues when the connection is resumed.';
  return reason === 'subscription' ? 'The subscription has lapsed. It continues when the subscription is active.' : null;
}

interface ChunkFacts {
  stream: string;
  accountId: string;
  from: string;
}

/** Rows of the chunk grid: one for each stream and account, oldest chunk first. */
export function chunkRows<Chunk extends ChunkFacts>(
  chunks: readonly Chunk[],
): { stream: string; accountId: string; chunks: Chunk[] }[] {
  const rows = new Map<string, { stream: string; accountId: string; chunks: Chunk[] }>();
  for (const chunk of chunks) {
    const key = `${chunk.stream}/${chunk.accountId}`;
    const row = rows.get(key) ?? { stream: chunk.stream, accountId: chunk.accountId, chunks: [] };
    row.chunks.push(chunk);
    rows.set(key, row);
  }
  return [...rows.values()].map((row) => ({
    ...row,
    chunks: row.chunks.toSorted((one, other) => (one.from < other.from ? -1 : 1)),
  }));
}
