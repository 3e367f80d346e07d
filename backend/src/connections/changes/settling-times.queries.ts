import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { LIST_LIMITS } from '../../core/http/limits.js';
import type { ConnectionEntry } from '../connections.dto.js';
import type { AccountSettling, MetricSettling, SettlingTimes } from './restatements.dto.js';

// SQL: a report with percentiles.

/** Older days may have settled by other rules of the platform. */
const KNOWN_DAYS = 180;
/** A day that was first loaded later may have changed before, without being seen. */
const LOADED_WITHIN_DAYS = 2;
/** With fewer days a single one decides the result. */
export const NEEDED_DAYS = 14;
/** Share of the days that had their last change within the settling time. */
const SHARE = 0.95;

interface Row {
  accountId: string;
  days: number;
  daysWithConversions: number;
  cost: number | null;
  clicks: number | null;
  impressions: number | null;
  conversions: number | null;
}

const lastChangeOf = (metric: string): string =>
  `max(age_days) filter (where ${metric}_after is distinct from ${metric}_before) as ${metric}`;
const settlingOf = (metric: string): string => `percentile_disc(${SHARE}) within group (order by coalesce(c.${metric}, 0))::int`;

/** Computes how many days after the day an account's numbers no longer change, from the stored changes. */
@Injectable()
export class SettlingTimesQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  async getSettlingTimes(
    organizationId: string,
    { id, streams, source }: ConnectionEntry,
    wanted: string | undefined,
  ): Promise<SettlingTimes> {
    const stream = wanted ?? streams.find(({ isSelected }) => isSelected)?.name ?? '';
    const rows = await this.tenants.query<Row & Record<string, unknown>>(
      organizationId,
      `with known as (
         select v.account_id, v.day, v.first_loaded_at, v.conversions
           from coverage v join unnest($4::text[], $5::text[]) as zone(account_id, name) on zone.account_id = v.account_id
          where v.organization_id = $1 and v.connection_id = $2 and v.stream = $3 and v.day >= current_date - ${KNOWN_DAYS}
            and v.state in ('final', 'restated', 'empty_confirmed')
            and (v.first_loaded_at at time zone zone.name)::date - v.day <= ${LOADED_WITHIN_DAYS}),
       changes as (
         select account_id, day, ${['cost_micros', 'clicks', 'impressions', 'conversions'].map(lastChangeOf).join(', ')}
           from coverage_changes join known using (account_id, day)
          where organization_id = $1 and connection_id = $2 and stream = $3 and day >= current_date - ${KNOWN_DAYS}
            and changed_at >= first_loaded_at
          group by account_id, day)
       select k.account_id as "accountId", count(*)::int as days, count(k.conversions)::int as "daysWithConversions",
              ${settlingOf('cost_micros')} as cost, ${settlingOf('clicks')} as clicks, ${settlingOf('impressions')} as impressions,
              percentile_disc(${SHARE}) within group (order by coalesce(c.conversions, 0)) filter (where k.conversions is not null)::int
                as conversions
         from known k left join changes c on c.account_id = k.account_id and c.day = k.day
        group by k.account_id`,
      [id, stream, source.accounts.map(({ externalId }) => externalId), source.accounts.map(({ timeZone }) => timeZone)],
    );
    const byAccount = new Map(rows.map((row) => [row.accountId, row]));
    const accounts = source.accounts
      .slice(0, LIST_LIMITS.sourceAccounts)
      .map(({ externalId, name }) => toEntry(externalId, name, byAccount.get(externalId)));
    return { stream, neededDays: NEEDED_DAYS, accounts };
  }
}

function toEntry(accountId: string, accountName: string, row: Row | undefined): AccountSettling {
  const days = row?.days ?? 0;
  const hasNoConversions = days > 0 && row?.daysWithConversions === 0;
  return {
    accountId,
    accountName,
    knownDays: days,
    cost: settling(days, row?.cost),
    clicks: settling(days, row?.clicks),
    impressions: settling(days, row?.impressions),
    conversions: hasNoConversions
      ? { days: null, reason: 'not_in_stream' }
      : settling(row?.daysWithConversions ?? 0, row?.conversions),
  };
}

const settling = (knownDays: number, days: number | null | undefined): MetricSettling =>
  knownDays < NEEDED_DAYS ? { days: null, reason: 'not_enough_days' } : { days: days ?? 0, reason: null };
