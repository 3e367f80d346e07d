import type { InvitationPreview } from '~/api/types';

export type InvitationStage = 'ended' | 'signed-out' | 'other-account' | 'yours';

/** Available action for an invitation. Ended invitations are reported before a sign-in is required. */
export function stageOf({ state, isForYou }: Pick<InvitationPreview, 'state' | 'isForYou'>): InvitationStage {
  if (state !== 'pending') return 'ended';
  if (isForYou === null) return 'signed-out';
  return isForYou ? 'yours' : 'other-account';
}

/** A mail to the inviter. The user sends it: an invitation that has ended gives no right to send mail in the product's name. */
export function newInvitationMail({
  organizationName,
  inviterEmail,
  email,
}: Pick<InvitationPreview, 'organizationName' | 'inviterEmail' | 'email'>): string {
  const subject = `New invitation to ${organizationName}`;
  const body = `Hello,\n\nmy invitation to ${organizationName} on Tributary can no longer be used. Please invite ${email} again.\n`;
  return `mailto:${encodeURIComponent(inviterEmail).replace('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}

type Ending = Pick<InvitationPreview, 'organizationName' | 'inviterEmail' | 'inviterName' | 'isForYou'> & {
  state: Exclude<InvitationPreview['state'], 'pending'>;
};

export interface EndingText {
  title: string;
  text: string;
}

/** Why an invitation can no longer be accepted, and who can send a new one. */
export function describeEnding(
  { state, organizationName, inviterEmail, inviterName, isForYou }: Ending,
  { isFormerMember }: { isFormerMember: boolean } = { isFormerMember: false },
): EndingText {
  const inviter = inviterName && inviterName !== inviterEmail ? `${inviterName} (${inviterEmail})` : inviterEmail;
  const askForNew = `Ask ${inviter} for a new one.`;
  switch (state) {
    case 'expired':
      return {
        title: 'This invitation has expired',
        text: `An invitation to ${organizationName} is valid for seven days. ${askForNew}`,
      };
    case 'revoked':
      return { title: 'This invitation was revoked', text: `It can no longer be used to join ${organizationName}. ${askForNew}` };
    case 'rejected':
      return {
        title: 'This invitation was declined',
        text: `To join ${organizationName}, ask ${inviter} for a new one.`,
      };
    case 'accepted':
      if (isFormerMember)
        return {
          title: 'This invitation was already used',
          text: `You are no longer a member of ${organizationName}. ${askForNew}`,
        };
      return {
        title: 'This invitation was already used',
        text: isForYou ? `You joined ${organizationName}.` : `It was used to join ${organizationName}.`,
      };
  }
}
