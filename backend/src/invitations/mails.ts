import type { Role } from '../access/index.js';
import type { Mail } from '../core/outbox/mail.js';

interface InvitationMail {
  publicUrl: string;
  to: string;
  organizationId: string;
  organizationName: string;
  inviterName: string;
  inviterEmail: string;
  role: Role;
  invitationId: string;
  token: string;
  expiresAt: Date;
}

interface JoinedMail {
  publicUrl: string;
  to: string;
  organizationId: string;
  organizationName: string;
  joinedEmail: string;
  role: Role;
}

const article = (role: Role): string => (role === 'viewer' ? 'a viewer' : `an ${role}`);
const inFull = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

export function invitationMail(mail: InvitationMail): Mail {
  const { organizationName, inviterName, inviterEmail, publicUrl, organizationId, invitationId, token } = mail;
  const inviter = inviterName === inviterEmail ? inviterEmail : `${inviterName} (${inviterEmail})`;
  return {
    to: mail.to,
    subject: `${inviterName} invites you to ${organizationName}`,
    heading: `Join ${organizationName}`,
    paragraphs: [
      `${inviter} invites you to join ${organizationName} as ${article(mail.role)}.`,
      `Sign in or sign up with ${mail.to} to accept.`,
    ],
    button: {
      label: 'View invitation',
      url: `${publicUrl}/${organizationId}/acceptInvitation/${invitationId}?token=${token}`,
    },
    note: `The link is valid until ${inFull.format(mail.expiresAt)} UTC and only for ${mail.to}. If you did not expect this invitation, ignore it.`,
  };
}

export const joinedMail = (mail: JoinedMail): Mail => ({
  to: mail.to,
  subject: `${mail.joinedEmail} joined ${mail.organizationName}`,
  heading: `${mail.joinedEmail} joined ${mail.organizationName}`,
  paragraphs: [
    `Your invitation was accepted. ${mail.joinedEmail} is now a member of ${mail.organizationName} as ${article(mail.role)}.`,
  ],
  button: { label: 'View team', url: `${mail.publicUrl}/${mail.organizationId}/settings?tab=team` },
  note: 'You get this because you sent the invitation.',
});
