import type { SentInvitation } from '~/api/types';
import { formatDay, localDay } from '~/lib/dates';
import { formatExpiry } from '~/domain/time/expiry';

type State = Pick<SentInvitation, 'state' | 'expiresAt' | 'endedAt'>;

const ENDINGS = { accepted: 'Accepted', rejected: 'Declined', revoked: 'Revoked' } as const;

/** `Expires in 6 days`, `Expired Nov 3`, `Accepted Nov 18`. */
export function describeState({ state, expiresAt, endedAt }: State, now: Date): string {
  if (state === 'pending' || state === 'expired') return formatExpiry(expiresAt, now);
  return endedAt === null ? ENDINGS[state] : `${ENDINGS[state]} ${formatDay(localDay(new Date(endedAt)), now)}`;
}

/** Email problem to show to the inviter, or null. */
export function describeMail({ state, mailState }: Pick<SentInvitation, 'state' | 'mailState'>): string | null {
  if (state !== 'pending') return null;
  if (mailState === 'failed')
    return 'The email was not delivered. Check the address, then resend, or ask the operator to check the mail server';
  if (mailState === 'not_configured') return 'Not sent by email: this instance has no mail server';
  return null;
}

export const canResend = ({ state }: Pick<SentInvitation, 'state'>): boolean => state === 'pending' || state === 'expired';
export const canRevoke = ({ state }: Pick<SentInvitation, 'state'>): boolean => state === 'pending';
