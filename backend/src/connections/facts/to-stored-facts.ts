import type { Connectors } from '../../catalog/index.js';
import type { ConnectionRow } from '../connection-facts.queries.js';
import { type HealthFacts, healthOf } from '../connection-health.js';
import { HEALTHS } from '../connections.dto.js';
import { toHealthFacts } from '../health-facts.js';
import { lateAt } from '../schedule/late-at.js';
import type { Schedule } from '../schedule/schedule.js';
import type { StoredFacts } from './facts.queries.js';

const STALE = HEALTHS.indexOf('stale');
const PAUSED = HEALTHS.indexOf('paused');

/** The health is stored as if the organization had access: access can end by time, for all connections at once. */
export function toStoredFacts(connectors: Connectors, row: ConnectionRow, now: Date): StoredFacts {
  const facts = { ...toHealthFacts(connectors, row, now), isClosed: false };
  const severity = HEALTHS.indexOf(healthOf(facts).health);
  return {
    connection_id: row.id,
    severity,
    is_paused: row.desired === 'paused',
    recheck_at: recheckAt(row, facts, severity, now),
    name: row.name,
    search_text: searchTextOf(row),
    tags: row.tags,
    source_app_id: row.appId,
    destination_app_id: row.writerAppId,
    complete_through: row.reachedThrough,
    newest_complete: row.newestComplete,
    accounts_missing: row.accountsMissing,
    rows_by_day: row.rowsByDay ?? {},
    last_run_id: row.lastRunId,
    failed_in_a_row: row.failedInARow,
    active_run_id: row.activeRunId,
  };
}

/** The next time at which the health changes although nothing else does. */
function recheckAt(
  row: ConnectionRow,
  { newestComplete, reachedThrough, dueThrough }: HealthFacts,
  severity: number,
  now: Date,
): Date | null {
  if (newestComplete === null || severity <= STALE || severity === PAUSED) return null;
  const timeZones = row.accounts.map(({ timeZone }) => timeZone);
  const isReachedLate = reachedThrough === null || dueThrough === null || reachedThrough < dueThrough;
  const next = isReachedLate || newestComplete < reachedThrough ? newestComplete : reachedThrough;
  return lateAt(row.schedule as Schedule, timeZones, next, now);
}

/** An entry of an index is limited. The names have at most 362 characters, and tags have a filter of their own. */
const MAX_SEARCH_CHARACTERS = 500;

function searchTextOf({ name, sourceName, destinationName, tags }: ConnectionRow): string {
  const text = [name, sourceName, destinationName, ...tags].join('\n').toLowerCase();
  // By characters, so that none is cut into halves.
  return text.length > MAX_SEARCH_CHARACTERS ? [...text].slice(0, MAX_SEARCH_CHARACTERS).join('') : text;
}
