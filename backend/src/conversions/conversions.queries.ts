import { Injectable } from '@nestjs/common';
import { Connectors } from '../catalog/index.js';
import type { ProviderName } from '../connectors/kit/contract.js';
import { IdCursor } from '../core/database/cursor.js';
import { TenantDatabase } from '../core/database/tenant-database.js';
import type { PageQuery } from '../core/http/page.dto.js';
import { notFound } from '../core/http/problem.js';
import type { ConversionEventState } from '../generated/prisma/client.js';
import { healthOf } from './conversion-health.js';
import type { ConversionCounts, ConversionEntry, ConversionPage, ConversionPause, ConversionRunPage } from './conversions.dto.js';
import type { Failure } from '../core/http/failure.dto.js';
import { failureColumn } from '../core/http/failures.js';

// SQL: one statement joins the apps, the last run and the counts of seven days, which Prisma would read with five.

type Dates = 'since' | 'waitingUntil' | 'nextRunAt' | 'lastRunAt' | 'createdAt';
type Row = Omit<ConversionEntry, Dates | 'pause' | 'health' | 'healthReason' | 'failedSide' | 'lastWeek' | 'target'> &
  Pause & {
    target: Omit<ConversionEntry['target'], 'reportsResults' | 'identifiers'>;
    since: Date;
    waitingUntil: Date | null;
    nextRunAt: Date | null;
    lastRunAt: Date | null;
    createdAt: Date;
    ended: EndedApp | null;
    states: Partial<Record<ConversionEventState, number>> | null;
  };

/** An app that lacks access; that of the target first. */
interface EndedApp {
  side: 'source' | 'target';
  provider: ProviderName;
  authMode: string;
  failure: Failure | null;
}

interface Pause {
  pausedAt: Date | null;
  pausedReason: ConversionPause['reason'] | null;
  pausedByName: string | null;
  pausedFailure: ConversionPause['failure'];
}

const SELECT = `
  select c.id, c.name, c.filter, c.mapping, c.hashed_fields as "hashedFields", c.count_rule as "countRule",
         c.on_unknown_consent as "onUnknownConsent", c.on_unknown_outcome as "onUnknownOutcome",
         c.default_country as "defaultCountry", c.hashes_external_id as "hashesExternalId",
         c.sends_adjustments as "sendsAdjustments", c.test_code as "testCode", c.schedule, c.since, c.desired, c.version,
         c.failure, c.waiting_until as "waitingUntil", c.next_run_at as "nextRunAt", c.created_at as "createdAt",
         c.paused_at as "pausedAt", c.paused_reason as "pausedReason", u.full_name as "pausedByName",
         c.paused_failure as "pausedFailure", run.started_at as "lastRunAt", counts.states,
         case when target.state in ('needs_reauth', 'revoked') then json_build_object('side', 'target',
                'provider', target.provider, 'authMode', target.auth_mode, 'failure', target.failure)
              when source.state in ('needs_reauth', 'revoked') then json_build_object('side', 'source',
                'provider', source.provider, 'authMode', source.auth_mode, 'failure', source.failure) end as ended,
         json_build_object('provider', source.provider, 'appId', c.source_app_id, 'destinationId', c.source_destination_id,
           'name', coalesce(d.name, source.display_name), 'settings', c.source_settings) as source,
         json_build_object('provider', target.provider, 'appId', target.id, 'appName', target.display_name,
           'accountId', c.target_account_id, 'name', c.target_name, 'settings', c.target_settings) as target
    from conversions c
    join apps target on target.organization_id = c.organization_id and target.id = c.target_app_id
    left join destinations d on d.organization_id = c.organization_id and d.id = c.source_destination_id
    left join apps source on source.organization_id = c.organization_id and source.id = coalesce(c.source_app_id, d.app_id)
    left join users u on u.uid = c.paused_by
    left join lateral (
      select r.started_at from conversion_runs r
       where r.organization_id = c.organization_id and r.conversion_id = c.id order by r.id desc limit 1) run on true
    left join lateral (
      select json_object_agg(sums.state, sums.events) as states from (
        select n.state, sum(n.events)::int as events from conversion_counts n
         where n.organization_id = c.organization_id and n.conversion_id = c.id
           and n.day > (now() at time zone 'UTC')::date - 7
         group by n.state) sums) counts on true
   where c.organization_id = $1 and c.deleted_at is null`;

const CURSOR = new IdCursor('conversions');
const RUNS_CURSOR = new IdCursor('conversion-runs');

@Injectable()
export class ConversionsQueries {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
  ) {}

  async listConversions(organizationId: string, { cursor, limit }: PageQuery): Promise<ConversionPage> {
    const rows = await this.tenants.query<Row>(
      organizationId,
      `${SELECT} and ($2::uuid is null or c.id > $2) order by c.id limit $3`,
      [CURSOR.after(cursor), limit + 1],
    );
    return CURSOR.toPage(
      rows.map((row) => this.toEntry(row)),
      limit,
      ({ id }) => [id],
    );
  }

  async getConversion(organizationId: string, conversionId: string): Promise<ConversionEntry> {
    const [row] = await this.tenants.query<Row>(organizationId, `${SELECT} and c.id = $2`, [conversionId]);
    if (!row) throw notFound('The conversion');
    return this.toEntry(row);
  }

  async listRuns(organizationId: string, conversionId: string, { cursor, limit }: PageQuery): Promise<ConversionRunPage> {
    await this.getConversion(organizationId, conversionId);
    const after = RUNS_CURSOR.after(cursor);
    const runs = await this.tenants.of(organizationId).conversionRun.findMany({
      where: { conversionId, ...(after && { id: { lt: after } }) },
      orderBy: { id: 'desc' },
      take: limit + 1,
    });
    const entries = runs.map(({ startedAt, endedAt, failure, ...run }) => ({
      ...{ id: run.id, state: run.state, startedAt: startedAt.toISOString(), endedAt: endedAt?.toISOString() ?? null },
      ...{ recordsRead: run.recordsRead, eventsNew: run.eventsNew, eventsSent: run.eventsSent },
      ...{ eventsAccepted: run.eventsAccepted, eventsRejected: run.eventsRejected },
      failure: failureColumn.read(failure),
    }));
    return RUNS_CURSOR.toPage(entries, limit, ({ id }) => [id]);
  }

  private toEntry({ target, ...row }: Row): ConversionEntry {
    const { provider, settings } = target;
    const reportsResults = reportsResultsOf(this.connectors, provider, settings);
    const identifiers = [...(this.connectors.findConversionTarget(provider)?.traits(settings).identifiers ?? [])];
    return toEntry(this.connectors, { ...row, target: { ...target, reportsResults, identifiers } });
  }
}

/** False if the platform is no longer set up. */
export const reportsResultsOf = (connectors: Connectors, provider: ProviderName, settings: Record<string, unknown>): boolean =>
  Boolean(connectors.findConversionTarget(provider)?.traits(settings).statusPoll);

function toEntry(
  connectors: Connectors,
  { pausedAt, pausedReason, pausedByName, pausedFailure, ...rest }: Row & Pick<ConversionEntry, 'target'>,
): ConversionEntry {
  const { ended, states, since, waitingUntil, nextRunAt, lastRunAt, createdAt, ...row } = rest;
  const lastWeek = countsOf(states ?? {}, row.target.reportsResults);
  const failedSide = ended?.side ?? sideOf(row.source.provider, row.failure ?? pausedFailure);
  return {
    ...row,
    pause: pauseOf(row.desired, { pausedAt, pausedReason, pausedByName, pausedFailure }),
    since: since.toISOString(),
    waitingUntil: waitingUntil?.toISOString() ?? null,
    nextRunAt: nextRunAt?.toISOString() ?? null,
    lastRunAt: lastRunAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    ...{ lastWeek, failedSide },
    ...healthOf({
      ...{ desired: row.desired, pausedByName, isPausedByFailures: pausedReason === 'failures', failure: row.failure, lastWeek },
      endedAccess: ended && {
        ...{ providerName: connectors.nameOf(ended.provider), isTyped: ended.authMode !== 'oauth2', failure: ended.failure },
      },
      failedName: connectors.nameOf(failedSide === 'source' ? row.source.provider : row.target.provider),
      isWaiting: waitingUntil !== null,
      hasRun: lastRunAt !== null,
    }),
  };
}

function pauseOf(desired: string, { pausedAt, pausedReason, pausedByName, pausedFailure }: Pause): ConversionPause | null {
  if (desired === 'active' || !pausedAt) return null;
  return { reason: pausedReason ?? 'user', by: pausedByName, at: pausedAt.toISOString(), failure: pausedFailure };
}

/**
 * Codes of a connector begin with its name, and no platform is both a source and a target. Those of shared code, such as
 * `egress.refused`, say nothing about the side.
 */
function sideOf(source: ProviderName, failure: Failure | null): ConversionEntry['failedSide'] {
  if (!failure) return null;
  return failure.code.startsWith(`${source}.`) ? 'source' : 'target';
}

/** @param reportsResults otherwise, an event that a refund changed was accepted, and it is not known whether it was counted */
export function countsOf(states: Partial<Record<ConversionEventState, number>>, reportsResults: boolean): ConversionCounts {
  const sum = (...names: ConversionEventState[]) => names.reduce((total, name) => total + (states[name] ?? 0), 0);
  const received = Object.values(states).reduce((total, events) => total + events, 0);
  return {
    received,
    eligible: received - sum('ineligible'),
    ineligible: sum('ineligible'),
    waiting: sum('queued', 'retrying', 'sent'),
    sent: sum('sent', 'accepted', 'processed', 'adjusted', 'unmatched', 'rejected'),
    accepted: sum('accepted', 'processed', 'adjusted', 'unmatched'),
    processed: reportsResults ? sum('processed', 'adjusted') : 0,
    unmatched: sum('unmatched'),
    rejected: sum('rejected', 'dead', 'expired'),
  };
}
