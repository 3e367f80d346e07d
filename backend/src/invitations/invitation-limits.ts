import type { Actor } from '../access/index.js';
import type { SqlQuery } from '../core/database/database.js';
import { lockPerson } from '../users/index.js';
import { Problem } from '../core/http/problem.js';
import type { TenantQuery } from '../core/database/tenant-database.js';

// SQL: counts under the locks, by the clock of the database.

/** Invitation mails per day per organization, to prevent spam. */
const PER_ORGANIZATION = 50;
/** Invitation mails per day per person over all organizations, because one person can have many organizations. */
const PER_PERSON = 200;
const HOUR_SECONDS = 3_600;

interface Sent {
  sent: number;
  waitSeconds: number | null;
  [column: string]: unknown;
}

/** Counts mails instead of invitations, because a resent invitation is another mail. */
const SENT = `
  select count(*)::int as sent, ceil(extract(epoch from min(created_at) + interval '1 day' - now()))::int as "waitSeconds"
    from outbox_messages
   where kind = 'mail' and name = 'invitation' and created_at > now() - interval '1 day'`;

/** Call it with a lock on the organization's row, so that concurrent requests cannot exceed the limit. */
export async function assertBelowOrganizationLimit(query: TenantQuery): Promise<void> {
  const [count] = await query<Sent>(`${SENT} and organization_id = $1`);
  assertBelow(count, PER_ORGANIZATION, 'organization');
}

/** Runs first in the transaction that sends an invitation: locks the person before the organization's row. */
export const assertBelowPersonLimit =
  ({ uid }: Actor) =>
  async (query: SqlQuery): Promise<void> => {
    await lockPerson(query, 'invitations', uid);
    const [count] = await query<Sent>(`${SENT} and user_id = $1`, [uid]);
    assertBelow(count, PER_PERSON, 'person');
  };

function assertBelow(count: Sent | undefined, limit: number, subject: string): void {
  if (!count || count.sent < limit) return;
  throw new Problem('invitation.daily_limit', {
    detail: `The limit is ${limit} invitations per day per ${subject}.`,
    action: 'Try again tomorrow',
    retryAfterSeconds: Math.max(1, count.waitSeconds ?? HOUR_SECONDS),
  });
}
