import { Transform } from 'class-transformer';
import { IsEmail, IsIn, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { type Role, ROLES } from '../access/index.js';
import { PageQuery } from '../core/http/page.dto.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';

const INVITATION_STATES = ['pending', 'accepted', 'rejected', 'revoked', 'expired'] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

const lowerCased = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim().toLowerCase() : value);
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const tokenMessage = { message: 'token must be the one of the mailed link' };

export class SendInvitationBody {
  /** Who is invited. */
  @Transform(lowerCased)
  @IsEmail()
  @MaxLength(320)
  email: string;

  /** The organization's id. */
  @IsUUID()
  organization_id: string;

  /** The caller's own uid; another one is refused. */
  @MayBeMissing()
  @IsString()
  @MaxLength(128)
  inviter_user_id?: string;

  /** Not used: the mail names the organization as it is stored. */
  @MayBeMissing()
  @IsString()
  @MaxLength(200)
  organization?: string;

  /** The caller's own e-mail; another one is refused. */
  @MayBeMissing()
  @IsString()
  @MaxLength(320)
  inviter_email?: string;

  /** What the person will be; not above the caller's own. Left out: editor. */
  @MayBeMissing()
  @IsIn(ROLES)
  role?: Role;
}

export class CreateInvitationBody {
  /** Who is invited. */
  @Transform(lowerCased)
  @IsEmail()
  @MaxLength(320)
  email: string;

  /** What the person will be; not above the caller's own. */
  @IsIn(ROLES)
  role: Role;
}

export class PendingInvitationBody {
  /** The caller's own verified e-mail; for any other the answer is empty. */
  @IsString()
  @MaxLength(320)
  email: string;
}

export class AcceptInvitationBody {
  @IsUUID()
  invitationId: string;

  /** The caller's own uid; another one is refused. */
  @MayBeMissing()
  @IsString()
  @MaxLength(128)
  userId?: string;

  /** Of the mailed link; stands for a verified e-mail. */
  @MayBeMissing()
  @Matches(TOKEN, tokenMessage)
  token?: string;
}

export class RejectInvitationBody {
  @IsUUID()
  invitationId: string;

  /** Of the mailed link; stands for a verified e-mail. */
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
  /** Only those in this state. */
  @MayBeMissing()
  @IsIn(INVITATION_STATES)
  state?: InvitationState;
}

export class PreviewQuery {
  /** Of the mailed link. */
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
  /** When it was last sent. */
  sentAt: string;
  expiresAt: string;
  /** When it left pending. */
  endedAt: string | null;
  /** Where its mail is; `not_configured`: this instance has no mail server. */
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
  /** Who is invited. */
  email: string;
  role: Role;
  state: 'pending' | 'accepted' | 'rejected' | 'revoked' | 'expired';
  expiresAt: string;
  /** Whether the invited person is signed in; null when nobody is. */
  isForYou: boolean | null;
  /** Whether accepting without the mailed token takes a verified e-mail first. */
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
  /** The latest 100. */
  invitations: PendingInvitation[];
}

export class SentInvitationsAnswer {
  success: boolean;
  message: string;
  /** The latest 400. */
  invitations: SentInvitation[];
}

export class InvitationAcceptedAnswer {
  success: boolean;
  message: string;
  /** Where the caller now belongs. */
  organizationId: string;
}

export class InvitationRejectedAnswer {
  success: boolean;
  message: string;
}
