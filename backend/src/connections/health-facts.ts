import type { Connectors } from '../catalog/index.js';
import { addDays, dayInTimeZone } from '../connectors/kit/days.js';
import type { RunSummary } from '../sync/index.js';
import type { ConnectionRow } from './connection-facts.queries.js';
import type { HealthFacts } from './connection-health.js';
import { dueThrough } from './schedule/due-through.js';
import type { Schedule } from './schedule/schedule.js';

/** @param active the active run with its progress; only the text of the health needs it */
export function toHealthFacts(connectors: Connectors, row: ConnectionRow, now: Date, active?: RunSummary): HealthFacts {
  const timeZones = row.accounts.map(({ timeZone }) => timeZone);
  return {
    desired: row.desired,
    isClosed: row.isClosed,
    pausedByName: row.pausedByName,
    waitsForDecision: row.pausedReason === 'schema_change',
    isPausedByFailures: row.pausedReason === 'failures',
    waitsForApps: row.pausedReason === 'import',
    expiredApp: expiredAppOf(connectors, row),
    isDestinationBroken: row.destinationState !== 'ready',
    providerName: connectors.nameOf(row.provider),
    lastEndedState: row.lastEndedState,
    rowsLost: row.rowsLost,
    destinationName: connectors.nameOf(row.destinationProvider),
    failedInARow: row.failedInARow,
    failureMessage: row.lastFailure?.message ?? null,
    activeFaults: row.activeFaults ?? 0,
    activeFailureMessage: row.activeFailure?.message ?? null,
    failureClass: (row.activeFailure ?? row.lastFailure)?.class ?? null,
    waitsFor: partyOf(connectors, row, row.activeFailure?.code),
    activeState: row.activeState,
    isFirstLoad: row.lastEndedState === null || row.reachedThrough === null,
    percentLoaded: active && active.slicesTotal > 0 ? Math.floor((100 * active.slicesDone) / active.slicesTotal) : 0,
    reachedThrough: row.reachedThrough,
    newestComplete: row.newestComplete,
    dueThrough: dueThrough(row.schedule as Schedule, timeZones, now),
    wantedThrough: yesterdayOfAll(timeZones, now),
    backfillPercent: row.backfillPercent,
    accountsMissing: row.accountsMissing,
    accounts: row.accounts.length,
  };
}

export const isExpired = (state: string): boolean => state === 'needs_reauth' || state === 'revoked';

/** The end of the connection that a failure's code names by its prefix. */
function partyOf(
  connectors: Connectors,
  { provider, destinationProvider }: ConnectionRow,
  code: string | undefined,
): string | null {
  const [prefix] = code?.split('.') ?? [];
  if (prefix === provider) return connectors.nameOf(provider);
  // A rejected address: no request was sent to the destination.
  return prefix === destinationProvider || prefix === 'egress' ? connectors.nameOf(destinationProvider) : null;
}

/** The app whose access has expired, the source's first. */
function expiredAppOf(connectors: Connectors, row: ConnectionRow): HealthFacts['expiredApp'] {
  const isSource = isExpired(row.appState);
  if (!isSource && !isExpired(row.destinationState)) return null;
  const { provider, appAuthMode, appFailure, destinationProvider, destinationAuthMode, destinationFailure } = row;
  return {
    side: isSource ? 'source' : 'destination',
    providerName: connectors.nameOf(isSource ? provider : destinationProvider),
    isTyped: (isSource ? appAuthMode : destinationAuthMode) !== 'oauth2',
    failure: isSource ? appFailure : destinationFailure,
  };
}

/** The last day that has ended in every account's time zone. */
function yesterdayOfAll(timeZones: string[], now: Date): string {
  const days = (timeZones.length > 0 ? timeZones : ['UTC']).map((timeZone) => dayInTimeZone(now, timeZone)).toSorted();
  return addDays(days[0] ?? now.toISOString().slice(0, 10), -1);
}
