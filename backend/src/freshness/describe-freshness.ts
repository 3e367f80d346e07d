import { plural } from '../connectors/kit/plural.js';
import type { CompletenessRow } from '../read-models/index.js';
import type { ConnectionRow, StoredDay } from './connection-row.js';
import type { FreshnessCause, FreshnessDayEntry, FreshnessEntry, FreshnessReason, FreshnessStateName } from './freshness.dto.js';
import { deadlineAfter, endOf } from './target.js';

export function describeFreshness(row: ConnectionRow, days: CompletenessRow[], stored: StoredDay[], now: Date): FreshnessEntry {
  const byDay = new Map(stored.map((entry) => [entry.day, entry]));
  const zones = row.accounts.map(({ timeZone }) => timeZone);
  const cause = causeOf(row);
  const described = days.map((day) => {
    const end = endOf(day.day, zones);
    return { end, entry: describeDay(row, end, day, byDay.get(day.day), cause.code, now) };
  });
  const ended = described.filter(({ end }) => end <= now).map(({ entry }) => entry);
  const last = ended.at(-1);
  const open = ended.findLast(({ isComplete }) => !isComplete);
  return {
    connectionId: row.id,
    name: row.name,
    target: row.target,
    day: last?.day ?? null,
    isComplete: last?.isComplete ?? false,
    state: last?.state ?? null,
    completeThrough: row.completeThrough !== null && row.completeThrough >= row.historyFrom ? row.completeThrough : null,
    cause: open ? (cause.code === 'missing' ? { ...cause, message: missingMessage(open) } : cause) : null,
    days: described.map(({ entry }) => entry),
    asOf: now.toISOString(),
  };
}

function describeDay(
  connection: ConnectionRow,
  end: Date,
  row: CompletenessRow,
  stored: StoredDay | undefined,
  cause: FreshnessCause['code'],
  now: Date,
): FreshnessDayEntry {
  const { target, accounts } = connection;
  const { day, expected, complete } = row;
  const isComplete = complete === expected;
  const isOver = end <= now;
  const deadline = target ? deadlineAfter(end, target, day) : null;
  const isDue = deadline !== null && deadline <= now;
  const reasons: FreshnessReason[] = [];
  if (!isComplete) {
    if (!isOver) reasons.push('not_over');
    else reasons.push('missing');
    if (deadline !== null && !isDue) reasons.push('not_due');
    if (isOver && cause !== 'missing') reasons.push(cause);
  }
  const names = new Map(accounts.map(({ externalId, name }) => [externalId, name]));
  return {
    day,
    isComplete,
    state: isComplete ? stateOfComplete(stored) : stateOfOpen({ isOver, isDue, stored, connection }),
    reasons,
    expected,
    complete,
    missing: row.missing.map((pair) => ({ ...pair, accountName: names.get(pair.accountId) ?? pair.accountId })),
    deadline: deadline?.toISOString() ?? null,
    completedAt: (isComplete && stored?.completedAt?.toISOString()) || null,
  };
}

function stateOfComplete(stored: StoredDay | undefined): FreshnessStateName {
  if (!stored?.completedAt) return 'complete';
  return stored.lateAt || stored.completedAt > stored.dueAt ? 'recovered' : 'on_time';
}

interface OpenDay {
  isOver: boolean;
  isDue: boolean;
  stored: StoredDay | undefined;
  connection: ConnectionRow;
}

/** As `watch/watch-freshness.ts` decides: no day becomes late while runs are stopped, and none whose deadline passed in that time. */
function stateOfOpen({ isOver, isDue, stored, connection }: OpenDay): FreshnessStateName {
  if (connection.target === null) return isOver ? 'incomplete' : 'waiting';
  if (!isDue) return 'waiting';
  const isExcused = stored?.state !== 'late' && (isStopped(connection) || stored?.isExcused === true);
  return isExcused ? 'incomplete' : 'late';
}

/** As in `watch/watched-connection.ts`. */
const isStopped = ({ isClosed, desired, pausedReason }: ConnectionRow): boolean =>
  isClosed || (desired === 'paused' && ['user', 'import'].includes(pausedReason ?? 'user'));

/** The worst cause that applies. The text of `missing` follows from the day. */
function causeOf(row: ConnectionRow): FreshnessCause {
  if (row.isClosed)
    return { code: 'subscription', message: 'Runs stopped with the subscription.', action: 'Renew the subscription' };
  if (row.expiredApp !== null)
    return { code: 'needs_reauth', message: `${row.expiredApp} needs a new sign-in.`, action: 'Reconnect the app' };
  if (row.desired === 'paused')
    return { code: 'paused', message: pausedMessage(row.pausedReason), action: 'Resume the connection' };
  if (row.hasActiveRun) return { code: 'run_in_progress', message: 'A run is in progress.', action: 'Wait for the run' };
  if (row.failure) return { code: 'run_failed', message: row.failure.message, action: row.failure.action };
  return { code: 'missing', message: 'Account-days are missing.', action: 'Run the connection' };
}

const pausedMessage = (reason: string | null): string =>
  reason === 'failures'
    ? 'The connection was paused after too many failed runs.'
    : reason === 'schema_change'
      ? 'The connection is paused until schema changes are decided.'
      : 'The connection is paused.';

/** `2 of 6 account-days of 2026-11-22 are missing: campaign_daily of Northwind US` */
export function missingMessage({
  day,
  expected,
  complete,
  missing,
}: Pick<FreshnessDayEntry, 'day' | 'expected' | 'complete' | 'missing'>): string {
  const [first] = missing;
  const count = expected - complete;
  const where = first ? `: ${first.stream} of ${first.accountName}${count > 1 ? ` and ${plural(count - 1, 'other')}` : ''}` : '';
  return `${count} of ${plural(expected, 'account-day')} of ${day} ${count === 1 ? 'is' : 'are'} missing${where}.`;
}
