import type { Failure } from '../../core/http/failure.dto.js';
import type { FreshnessEvent, Message } from '../../alerts/index.js';
import type { CompletenessRow } from '../../read-models/index.js';
import { missingMessage } from '../describe-freshness.js';
import type { WatchedConnection } from './watched-connection.js';

interface ChangedDay {
  event: FreshnessEvent;
  day: string;
  dueAt: Date;
  row: CompletenessRow;
}

const TITLES: Record<FreshnessEvent, (name: string, day: string) => string> = {
  'freshness.complete': (name, day) => `${name} is complete for ${day}`,
  'freshness.late': (name, day) => `${name} is late for ${day}`,
  'freshness.recovered': (name, day) => `${name} is complete for ${day}, after its deadline`,
};

export function freshnessMessage(
  publicUrl: string,
  organizationId: string,
  connection: WatchedConnection,
  { event, day, dueAt, row }: ChangedDay,
): Message & { type: FreshnessEvent } {
  const isLate = event === 'freshness.late';
  const { message, action } = alertFailure(connection, { day, dueAt, row });
  return {
    type: event,
    title: TITLES[event](connection.name, day),
    lines: isLate ? [message, `What to do: ${action}`] : [],
    url: `${publicUrl}/${organizationId}/connection/${connection.id}/configuration`,
    sequence: `freshness:${connection.id}:${day}`,
    data: {
      connection: { id: connection.id, name: connection.name },
      day,
      target: connection.target,
      deadline: dueAt.toISOString(),
      completedAt: isLate ? null : (row.lastReadAt?.toISOString() ?? null),
      expected: row.expected,
      complete: row.complete,
      missing: namedPairs(connection, row),
      message: isLate ? message : null,
    },
  };
}

/** Cause of an alert: what is missing, and why if that is known. */
export function alertFailure(
  connection: WatchedConnection,
  { day, dueAt, row }: Omit<ChangedDay, 'event'>,
): Pick<Failure, 'class' | 'code' | 'message' | 'action'> {
  const missing = missingMessage({ day, expected: row.expected, complete: row.complete, missing: namedPairs(connection, row) });
  const due = `It was due at ${dueAt.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
  const { expiredApp, failure } = connection;
  if (expiredApp !== null)
    return {
      class: 'auth',
      code: 'freshness.late',
      message: `${missing} ${due} ${expiredApp} needs a new sign-in.`,
      action: 'Reconnect the app',
    };
  if (failure)
    return {
      class: failure.class,
      code: 'freshness.late',
      message: `${missing} ${due} ${failure.message}`,
      action: failure.action,
    };
  return { class: 'data', code: 'freshness.late', message: `${missing} ${due}`, action: 'Run the connection' };
}

function namedPairs({ accounts }: WatchedConnection, { missing }: CompletenessRow) {
  const names = new Map(accounts.map(({ externalId, name }) => [externalId, name]));
  return missing.map((pair) => ({ ...pair, accountName: names.get(pair.accountId) ?? pair.accountId }));
}
