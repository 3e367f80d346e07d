import type { TenantQuery } from '../core/database/tenant-database.js';
import { CHOSEN_ACCOUNTS } from './chosen-accounts.js';

// SQL: one statement over runs, connections and the accounts of their sources.

export interface ActiveRun extends Record<string, unknown> {
  connectionId: string;
  startedAt: Date;
  /** Of the accounts that the run reads. */
  timeZones: string[];
}

/** The regular runs of these connections that have started. A queued run is planned when it starts. */
export const listActiveRuns = (query: TenantQuery, connectionIds: string[]): Promise<ActiveRun[]> =>
  query<ActiveRun>(
    `select r.connection_id as "connectionId", r.started_at as "startedAt",
            array(select distinct account->>'timeZone' from jsonb_array_elements(${CHOSEN_ACCOUNTS}) account) as "timeZones"
       from runs r
       join connections c on c.organization_id = $1 and c.id = r.connection_id
       join sources s on s.organization_id = $1 and s.id = c.source_id
       join apps a on a.organization_id = $1 and a.id = s.app_id
      where r.organization_id = $1 and r.connection_id = any($2::uuid[]) and r.track = 'regular' and r.ended_at is null
        and r.state <> 'queued' and r.started_at is not null`,
    [connectionIds],
  );
