import { IsIn, IsString, IsUUID, MaxLength, MinLength } from 'class-validator';
import { type Role, ROLES } from '../access/index.js';

export class TeamMembersBody {
  /** The organization's id. */
  @IsUUID()
  organizationId: string;
}

export class RemoveMemberBody {
  /** The organization's id. */
  @IsUUID()
  organizationId: string;

  /** uid of the member. With the caller's own uid, the caller leaves. */
  @IsString()
  @MinLength(1)
  @MaxLength(128)
  memberId: string;
}

export class UpdateMemberBody {
  /** Not above the caller's role. */
  @IsIn(ROLES)
  role: Role;
}

export class TransferBody {
  /** uid of the member who becomes the owner. */
  @IsString()
  @MinLength(1)
  @MaxLength(128)
  userId: string;
}

export class Member {
  /** Firebase uid. */
  userId: string;
  email: string;
  /** Whether the address is verified. An unverified address may belong to another person. */
  isEmailVerified: boolean;
  fullName: string;
  photoURL: string | null;
  role: Role;
  joinedAt: string;
  /** When the person last used the product, in any organization, accurate to one hour. Null: not recorded. */
  lastActiveAt: string | null;
  /** E-mail of the inviter; null for the organization's creator. */
  invitedBy: string | null;
  isYou: boolean;
  /** Whether the account is disabled, so that this person cannot sign in. */
  isDisabled: boolean;
}

export class MemberPage {
  items: Member[];
  nextCursor: string | null;
}

export class TeamMembersAnswer {
  success: boolean;
  message: string;
  /** At most 1,000. */
  members: Member[];
}

export class MemberRemovedAnswer {
  success: boolean;
  message: string;
}
