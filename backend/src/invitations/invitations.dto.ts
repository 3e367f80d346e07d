import { Transform } from 'class-transformer';
import { IsEmail, IsIn, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { type Role, ROLES } from '../access/index.js';
import { PageQuery } from '../core/http/page.dto.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';

const INVITATION_STATES = ['pending', 'accepted', 'rejected', 'revoked', 'expired'] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

const lowerCased = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim().toLowerCase() : value);
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const tokenMessage = { message: 'token must be the token of the mailed link' };

export class SendInvitationBody {
  /** E-mail of the invited person. */
  @Transform(lowerCased)
  @IsEmail()
  @MaxLength(320)
  email: string;

  /** The organization's id. */
  @IsUUID()
  organization_id: string;

  /** The caller's uid. Any other uid is rejected. */
  @MayBeMissing()
  @IsString()
  @MaxLength(128)
  inviter_user_id?: string;

  /** Ignored. The mail contains the stored name of the organization. */
  @MayBeMissing()
  @IsString()
  @MaxLength(200)
  organization?: string;

  /** The caller's e-mail. Any other e-mail is rejected. */
  @MayBeMissing()
  @IsString()
  @MaxLength(320)
  inviter_email?: string;

  /** Role of the invited person, not above the caller's role. Default: editor. */
  @MayBeMissing()
  @IsIn(ROLES)
  role?: Role;
}

export class CreateInvitationBody {
  /** E-mail of the invited person. */
  @Transform(lowerCased)
  @IsEmail()
  @MaxLength(320)
  email: string;

  /** Role of the invited person, not above the caller's role. */
  @IsIn(ROLES)
  role: Role;
}

export class PendingInvitationBody {
  /** The caller's verified e-mail. For any other e-mail the list is empty. */
  @IsString()
  @MaxLength(320)
  email: string;
}

export class AcceptInvitationBody {
  @IsUUID()
  invitationId: string;

  /** The caller's uid. Any other uid is rejected. */
  @MayBeMissing()
  @IsString()
  @MaxLength(128)
  userId?: string;

  /** Token of the mailed link. It replaces the verification of the e-mail. */
  @MayBeMissing()
  @Matches(TOKEN, tokenMessage)
  token?: string;
}

export class RejectInvitationBody {
  @IsUUID()
  invitationId: string;

  /** Token of the mailed link. It replaces the verification of the e-mail. */
  @MayBeMissing()
  @Matches(TOKEN, tokenMessage)
  token?: string;
}

export class SentInvitationsBody {
  /** The organization's id. */
  @IsUUID()
  organizationId: string;
}

export class InvitationsQuery extends PageQuery {
  /** Only invitations in this state. */
  @MayBeMissing()
  @IsIn(INVITATION_STATES)
  state?: InvitationState;
}

export class PreviewQuery {
  /** Token of the mailed link. */
  @MayBeMissing()
  @Matches(TOKEN, tokenMessage)
  token?: string;
}

export class SentInvitation {
  id: string;
  email: string;
  role: Role;
  state: 'pending' | 'accepted' | 'rejected' | 'revoked' | 'expired';
  organizationName: string;
  inviterEmail: string;
  /** Whether the inviter's address is verified. */
  isInviterVerified: boolean;
  inviterName: string;
  createdAt: string;
  /** Time of the last mail. */
  sentAt: string;
  expiresAt: string;
  /** Time when it was accepted, rejected, revoked or expired; null while pending. */
  endedAt: string | null;
  /** State of the mail. `not_configured`: this instance has no mail server. */
  mailState: 'queued' | 'delivered' | 'failed' | 'not_configured';
}

export class SentInvitationPage {
  items: SentInvitation[];
  nextCursor: string | null;
}

export class PendingInvitation {
  id: string;
  organizationId: string;
  organizationName: string;
  organizationLogo: string | null;
  inviterEmail: string;
  /** Whether the inviter's address is verified. */
  isInviterVerified: boolean;
  inviterName: string;
  role: Role;
  createdAt: string;
  expiresAt: string;
}

export class InvitationPreview {
  id: string;
  organizationId: string;
  organizationName: string;
  organizationLogo: string | null;
  inviterEmail: string;
  /** Whether the inviter's address is verified. */
  isInviterVerified: boolean;
  inviterName: string;
  /** E-mail of the invited person. */
  email: string;
  role: Role;
  state: 'pending' | 'accepted' | 'rejected' | 'revoked' | 'expired';
  expiresAt: string;
  /** Whether the signed-in user is the invited person; null without a sign-in. */
  isForYou: boolean | null;
  /** Whether the caller must verify the e-mail or use the mailed token to accept. */
  needsVerifiedEmail: boolean;
}

export class InvitationSentAnswer {
  success: boolean;
  message: string;
  invitation: SentInvitation;
}

export class PendingInvitationsAnswer {
  success: boolean;
  message: string;
  /** The 100 most recent invitations. */
  invitations: PendingInvitation[];
}

export class SentInvitationsAnswer {
  success: boolean;
  message: string;
  /** The 400 most recent invitations. */
  invitations: SentInvitation[];
}

export class InvitationAcceptedAnswer {
  success: boolean;
  message: string;
  /** The organization that the caller has joined. */
  organizationId: string;
}

export class InvitationRejectedAnswer {
  success: boolean;
  message: string;
}
