import type { SqlQuery } from '../core/database/database.js';
import { lockPerson } from '../users/index.js';
import { Problem } from '../core/http/problem.js';
import { RESTORABLE_DAYS } from '../core/database/restorable.js';

// SQL: counts over all organizations under the lock on the person.

/**
 * Runs first in the transaction that creates an organization. The limit counts organizations that the person created and owns
 * (deleted ones until they are purged), and all that they created in the last 30 days. Deleting or transferring organizations
 * therefore does not allow unlimited new ones. Organizations joined by invitation are not counted.
 */
export const assertOrganizationLimit =
  (uid: string, limit: number) =>
  async (query: SqlQuery): Promise<void> => {
    await lockPerson(query, 'organizations', uid);
    const [row] = await query<{ used: number }>(
      `select count(*)::int as used from organizations o
        where o.created_by = $1
          and (o.created_at > now() - make_interval(days => $2)
               or exists (select from members m where m.organization_id = o.id and m.user_id = $1 and m.role = 'owner'))`,
      [uid, RESTORABLE_DAYS],
    );
    if (!row || row.used < limit) return;
    throw new Problem('organization.limit_reached', {
      detail: `The limit is ${limit} organizations per person. Deleted organizations count for ${RESTORABLE_DAYS} days.`,
      action: 'Ask the operator of this instance for a higher limit',
    });
  };
