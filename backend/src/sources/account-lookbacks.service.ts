import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../core/database/tenant-database.js';

// SQL: runs in a transaction without Prisma (`TenantDatabase.together`); an upsert.

/** A lookback window changes when a user changes a conversion window. Reading it once a day is enough and saves quota. */
const CACHE_HOURS = 24;

/** The lookback window of each account, as the platform reported it last. */
@Injectable()
export class AccountLookbacks {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Days by account, for accounts read within the last day. */
  async find(organizationId: string, sourceId: string): Promise<Map<string, number>> {
    const rows = await this.tenants.query<{ accountId: string; lookbackDays: number }>(
      organizationId,
      `select account_id as "accountId", lookback_days as "lookbackDays" from account_lookbacks
        where organization_id = $1 and source_id = $2 and learned_at > $3`,
      [sourceId, new Date(Date.now() - CACHE_HOURS * 3_600_000)],
    );
    return new Map(rows.map(({ accountId, lookbackDays }) => [accountId, lookbackDays]));
  }

  /** The stored windows, of any age. */
  list(organizationId: string, sourceId: string): Promise<{ accountId: string; lookbackDays: number; learnedAt: Date }[]> {
    return this.tenants.of(organizationId).accountLookback.findMany({ where: { sourceId } });
  }

  async save(organizationId: string, sourceId: string, accountId: string, lookbackDays: number): Promise<void> {
    await this.tenants.query(
      organizationId,
      `insert into account_lookbacks (organization_id, source_id, account_id, lookback_days, learned_at) values ($1, $2, $3, $4, now())
       on conflict (organization_id, source_id, account_id) do update
          set lookback_days = excluded.lookback_days, learned_at = excluded.learned_at`,
      [sourceId, accountId, lookbackDays],
    );
  }
}
