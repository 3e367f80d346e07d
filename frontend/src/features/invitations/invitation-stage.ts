import type { InvitationPreview } from '~/api/types';

export type InvitationStage = 'ended' | 'signed-out' | 'other-account' | 'yours';

/** What the reader can do with an invitation. One that ended is told before anybody is asked to sign in. */
export function stageOf({ state, isForYou }: Pick<InvitationPreview, 'state' | 'isForYou'>): InvitationStage {
  if (state !== 'pending') return 'ended';
  if (isForYou === null) return 'signed-out';
  return isForYou ? 'yours' : 'other-account';
}

type Ending = Pick<InvitationPreview, 'organizationName' | 'inviterEmail' | 'inviterName' | 'isForYou'> & {
  state: Exclude<InvitationPreview['state'], 'pending'>;
};

export interface EndingText {
  title: string;
  text: string;
}

/** Why an invitation can no longer be answered, and who can help. */
export function describeEnding({ state, organizationName, inviterEmail, inviterName, isForYou }: Ending): EndingText {
  const inviter = inviterName && inviterName !== inviterEmail ? `${inviterName} (${inviterEmail})` : inviterEmail;
  const askForNew = `Ask ${inviter} for a new one.`;
  switch (state) {
    case 'expired':
      return {
        title: 'This invitation has expired',
        text: `An invitation to ${organizationName} is good for seven days. ${askForNew}`,
      };
    case 'revoked':
      return { title: 'This invitation was revoked', text: `Nobody can join ${organizationName} with it any more. ${askForNew}` };
    case 'rejected':
      return {
        title: 'This invitation was rejected',
        text: `To join ${organizationName} after all, ask ${inviter} for a new one.`,
      };
    case 'accepted':
      return {
        title: 'This invitation was already used',
        text: isForYou ? `You are in ${organizationName}.` : `Somebody joined ${organizationName} with it.`,
      };
  }
}
