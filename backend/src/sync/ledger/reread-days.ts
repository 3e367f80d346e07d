import { Injectable } from '@nestjs/common';
import type { Day } from '../../connectors/kit/contract.js';
import type { TenantQuery } from '../../core/database/tenant-database.js';

// SQL: locks runs, connections and days in one order, and marks many days in one statement.

export interface RereadRequest {
  connectionIds: string[];
  /** Null: all days that were loaded. */
  days: Day[] | null;
}

/** Marks loaded days to be read again, for modules that learn of changes at the platform. */
@Injectable()
export class RereadDays {
  /**
   * In the caller's transaction. Marks nothing and returns false while a run works, because the run may have read a day before it
   * changed and would mark it as read afterwards. Locks runs first, then connections, then what `lockMore` locks, each by id: every
   * transaction that marks days of several connections keeps this order, so none waits for another in a circle.
   */
  async within(query: TenantQuery, { connectionIds, days }: RereadRequest, lockMore: () => Promise<unknown>): Promise<boolean> {
    const waiting = await query<{ id: string; state: string }>(
      `select id, state from runs where organization_id = $1 and connection_id = any($2::uuid[]) and ended_at is null
        order by id for update`,
      [connectionIds],
    );
    if (waiting.some(({ state }) => state !== 'queued')) return false;
    // No run can be added while these are locked.
    await query('select id from connections where organization_id = $1 and id = any($2::uuid[]) order by id for update', [
      connectionIds,
    ]);
    const added = await query(
      `select id from runs where organization_id = $1 and connection_id = any($2::uuid[]) and ended_at is null
          and id <> all($3::uuid[]) limit 1`,
      [connectionIds, waiting.map(({ id }) => id)],
    );
    if (added.length > 0) return false;
    await lockMore();
    await query(
      `update coverage c set state = 'missing'
         from (select connection_id, stream, account_id, day from coverage
                where organization_id = $1 and connection_id = any($2::uuid[]) and ($3::date[] is null or day = any($3::date[]))
                  and state in ('provisional', 'final', 'restated', 'empty_confirmed')
                order by connection_id, stream, account_id, day for update) marked
        where c.organization_id = $1 and c.connection_id = marked.connection_id and c.stream = marked.stream
          and c.account_id = marked.account_id and c.day = marked.day`,
      [connectionIds, days],
    );
    return true;
  }
}
