import { IsString, Length, MaxLength, MinLength } from 'class-validator';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { PageQuery } from '../core/http/page.dto.js';
import { UserRecord } from './users.dto.js';

export class UsersQuery extends PageQuery {
  /** Only users whose e-mail contains this text, case-insensitive. */
  @MayBeMissing()
  @IsString()
  @MaxLength(320)
  email?: string;
}

export class UserPath {
  /** Firebase uid of the user. */
  @IsString()
  @MinLength(1)
  @MaxLength(128)
  userId: string;
}

export class ChangeAccessBody {
  /** Reason for the audit trail, 1 to 500 characters. */
  @IsString()
  @Length(1, 500)
  note: string;
}

/** A user as shown to platform staff. */
export class UserEntry extends UserRecord {
  /** Whether the identity provider has verified the e-mail. */
  isEmailVerified: boolean;
  /** First sign-in. */
  createdAt: Date;
  /** When the person last used the product, accurate to one hour. */
  lastSeenAt: Date | null;
  /** Time when the user was disabled; null for active users. */
  disabledAt: Date | null;
  /** Cause of the disabling. */
  disabledReason: 'identity_disabled' | 'identity_deleted' | 'staff' | null;
  /** Reason given by platform staff. */
  disabledNote: string | null;
}

export class UserPage {
  items: UserEntry[];
  nextCursor: string | null;
}
