import { Injectable } from '@nestjs/common';
import { Cursor, sortValues } from '../../core/database/cursor.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { ConnectionEntry } from '../connections.dto.js';
import type { RestatementEntry, RestatementPage, RestatementsQuery } from './restatements.dto.js';

// SQL: a report that compares sums of days, with pages that continue after three values.

const CURSOR = new Cursor<[string, string, string]>('restatements', sortValues.day, sortValues.text, sortValues.text);

type Dates = 'firstLoadedAt' | 'lastChangedAt';
type Row = Omit<RestatementEntry, Dates | 'accountName' | 'currency'> & Record<Dates, Date>;

const sums = (prefix: string, suffix: string): string =>
  `jsonb_build_object('rows', ${prefix}.rows${suffix}, 'costMicros', ${prefix}.cost_micros${suffix}::text, 'clicks', ${prefix}.clicks${suffix},
                      'impressions', ${prefix}.impressions${suffix}, 'conversions', ${prefix}.conversions${suffix})`;

/** The changes of the day `v` since its first load. Earlier changes belong to a table that was replaced. */
const CHANGES = `coverage_changes c
  where c.organization_id = v.organization_id and c.connection_id = v.connection_id and c.stream = v.stream
    and c.account_id = v.account_id and c.day = v.day and c.changed_at >= v.first_loaded_at`;

/** Restated days are few and have an index of their own. */
const RESTATED = `and settled.sums is not null and (v.stream, v.account_id, v.day) in (
            select stream, account_id, day from coverage_changes where organization_id = $1 and connection_id = $2 and was_settled)`;

/** Reads how much each day changed after its first load. */
@Injectable()
export class RestatementsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Newest day first. */
  async listRestatements(
    organizationId: string,
    connection: ConnectionEntry,
    { stream, account, from, to, kind, limit, cursor }: RestatementsQuery,
  ): Promise<RestatementPage> {
    const after = CURSOR.decode(cursor);
    const rows = await this.tenants.query<Row>(
      organizationId,
      `select v.stream, v.account_id as "accountId", v.day as date, v.state, v.revisions, v.first_loaded_at as "firstLoadedAt",
              v.last_changed_at as "lastChangedAt", last.age_days as "lastChangedAfterDays",
              ${sums('first', '_before')} as "firstLoad", settled.sums as settled, ${sums('v', '')} as current
         from coverage v
        cross join lateral (select c.* from ${CHANGES} order by c.changed_at limit 1) first
        cross join lateral (select c.age_days from ${CHANGES} order by c.changed_at desc limit 1) last
         left join lateral (
           select ${sums('c', '_before')} as sums from ${CHANGES} and c.was_settled order by c.changed_at limit 1) settled on true
        where v.organization_id = $1 and v.connection_id = $2 and v.revisions > 0
          and ($3::text is null or v.stream = $3) and ($4::text is null or v.account_id = $4)
          and v.day >= coalesce($5::date, '-infinity') and v.day <= coalesce($6::date, $7::date, 'infinity')
          and ($7::date is null or (v.day, v.stream, v.account_id) < ($7::date, $8, $9))
          ${kind === 'restated' ? RESTATED : ''}
        order by v.day desc, v.stream desc, v.account_id desc
        limit $10`,
      [connection.id, stream ?? null, account ?? null, from ?? null, to ?? null, ...(after ?? [null, null, null]), limit + 1],
    );
    const accounts = new Map(connection.source.accounts.map((entry) => [entry.externalId, entry]));
    const items = rows.map((row): RestatementEntry => {
      const { name = row.accountId, currency = null } = accounts.get(row.accountId) ?? {};
      return { ...row, ...timesOf(row), accountName: name, currency };
    });
    return CURSOR.toPage(items, limit, (item) => [item.date, item.stream, item.accountId]);
  }
}

const timesOf = ({ firstLoadedAt, lastChangedAt }: Row): Pick<RestatementEntry, Dates> => ({
  firstLoadedAt: firstLoadedAt.toISOString(),
  lastChangedAt: lastChangedAt.toISOString(),
});
