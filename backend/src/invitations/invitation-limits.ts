import type { Actor } from '../access/index.js';
import type { SqlQuery } from '../core/database/database.js';
import { lockPerson } from '../users/index.js';
import { Problem } from '../core/http/problem.js';
import type { TenantQuery } from '../core/database/tenant-database.js';

/** Mails a day from one organization: enough for a team, too few for spam. */
const PER_ORGANIZATION = 50;
/** Mails a day by one person over all organizations, because one person can have many organizations. */
const PER_PERSON = 200;
const HOUR_SECONDS = 3_600;

interface Sent {
  sent: number;
  waitSeconds: number | null;
  [column: string]: unknown;
}

/** Mails are counted and not invitations: sending one again is sending. */
const SENT = `
  select count(*)::int as sent, ceil(extract(epoch from min(created_at) + interval '1 day' - now()))::int as "waitSeconds"
    from outbox_messages
   where kind = 'mail' and name = 'invitation' and created_at > now() - interval '1 day'`;

/** Call it with the organization's row locked, so that its invitations are counted and sent one after the other. */
export async function assertBelowOrganizationLimit(query: TenantQuery): Promise<void> {
  const [count] = await query<Sent>(`${SENT} and organization_id = $1`);
  refuseAbove(count, PER_ORGANIZATION, 'An organization');
}

/** First in the transaction that sends: locks the person before the organization's row. */
export const assertBelowPersonLimit =
  ({ uid }: Actor) =>
  async (query: SqlQuery): Promise<void> => {
    await lockPerson(query, 'invitations', uid);
    const [count] = await query<Sent>(`${SENT} and user_id = $1`, [uid]);
    refuseAbove(count, PER_PERSON, 'One person');
  };

function refuseAbove(count: Sent | undefined, limit: number, subject: string): void {
  if (!count || count.sent < limit) return;
  throw new Problem('invitation.daily_limit', {
    detail: `${subject} sends at most ${limit} invitations a day.`,
    action: 'Try again tomorrow',
    retryAfterSeconds: Math.max(1, count.waitSeconds ?? HOUR_SECONDS),
  });
}
