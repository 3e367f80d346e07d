export type Health =
  | 'needs_reauth'
  | 'failing'
  | 'stale'
  | 'partial'
  | 'unverified'
  | 'rate_limited'
  | 'backfilling'
  | 'healthy'
  | 'never_run'
  | 'paused';

export type Tone = 'danger' | 'warn' | 'accent' | 'good' | 'idle';
export type Role = 'owner' | 'admin' | 'editor' | 'viewer';

/** Most severe first. The list, the counters and all legends use this order. */
export const HEALTHS: readonly Health[] = [
  'needs_reauth',
  'failing',
  'stale',
  'partial',
  'unverified',
  'rate_limited',
  'backfilling',
  'healthy',
  'never_run',
  'paused',
];

export const healthTable: Record<Health, { word: string; tone: Tone }> = {
  needs_reauth: { word: 'Reconnect needed', tone: 'danger' },
  failing: { word: 'Failing', tone: 'danger' },
  stale: { word: 'Stale', tone: 'warn' },
  partial: { word: 'Partial', tone: 'warn' },
  unverified: { word: 'Unverified', tone: 'warn' },
  rate_limited: { word: 'Rate limited', tone: 'accent' },
  backfilling: { word: 'Backfilling', tone: 'accent' },
  healthy: { word: 'Healthy', tone: 'good' },
  never_run: { word: 'Not run yet', tone: 'idle' },
  paused: { word: 'Paused', tone: 'idle' },
};

/** The most severe health of any connection; null without connections. */
export const worstHealth = (counts: Record<string, number>): Health | null =>
  HEALTHS.find((health) => (counts[health] ?? 0) > 0) ?? null;

export interface ConnectionFacts {
  desired: 'active' | 'paused';
  health: Health;
  activeRun: { state: RunState; kind?: string } | null;
}

export type RunState =
  | 'queued'
  | 'running'
  | 'waiting'
  | 'verifying'
  | 'succeeded'
  | 'partial'
  | 'unverified'
  | 'failed'
  | 'cancelled'
  | 'skipped';

export const runTable: Record<RunState, { word: string; tone: Tone; isActive: boolean }> = {
  queued: { word: 'Queued', tone: 'idle', isActive: true },
  running: { word: 'Loading', tone: 'accent', isActive: true },
  waiting: { word: 'Waiting', tone: 'accent', isActive: true },
  verifying: { word: 'Verifying', tone: 'accent', isActive: true },
  succeeded: { word: 'Verified', tone: 'good', isActive: false },
  partial: { word: 'Partial', tone: 'warn', isActive: false },
  unverified: { word: 'Unverified', tone: 'warn', isActive: false },
  failed: { word: 'Failed', tone: 'danger', isActive: false },
  cancelled: { word: 'Canceled', tone: 'idle', isActive: false },
  skipped: { word: 'Skipped', tone: 'idle', isActive: false },
};

const isRunning = (connection: ConnectionFacts): boolean =>
  connection.activeRun !== null && runTable[connection.activeRun.state].isActive;

const isPartialKind = ({ activeRun }: ConnectionFacts): boolean => activeRun?.kind !== undefined && activeRun.kind !== 'manual';

const RETRIED: readonly Health[] = ['failing', 'partial', 'unverified'];

/** Which actions a connection allows now. All buttons and menus use this table. */
export const connectionCan = {
  pause: (connection: ConnectionFacts) => connection.desired === 'active',
  resume: (connection: ConnectionFacts) => connection.desired === 'paused',
  /** A manual run reads everything. It can be queued behind an active run of another kind, which reads less. */
  run: (connection: ConnectionFacts) =>
    connection.desired === 'active' &&
    connection.health !== 'needs_reauth' &&
    (!isRunning(connection) || isPartialKind(connection)),
  /** Runs again what the last run did not load or could not verify. */
  retry: (connection: ConnectionFacts) => connectionCan.run(connection) && RETRIED.includes(connection.health),
  cancelRun: isRunning,
};

export const runCan = {
  cancel: (run: { state: RunState }) => runTable[run.state].isActive,
};

/** Why a run cannot start, as the text next to the button; null when it can. */
export function whyNotRun(connection: ConnectionFacts): string | null {
  if (connectionCan.run(connection)) return null;
  if (connection.desired === 'paused') return 'Paused. Resume it first';
  if (connection.health === 'needs_reauth') return 'Reconnect the app first';
  return 'A run is in progress';
}
