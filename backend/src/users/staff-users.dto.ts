import { IsString, Length, MaxLength, MinLength } from 'class-validator';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { PageQuery } from '../core/http/page.dto.js';
import { UserRecord } from './users.dto.js';

export class UsersQuery extends PageQuery {
  /** Only people whose e-mail contains this, in any case. */
  @MayBeMissing()
  @IsString()
  @MaxLength(320)
  email?: string;
}

export class UserPath {
  /** Firebase uid of the person. */
  @IsString()
  @MinLength(1)
  @MaxLength(128)
  userId: string;
}

export class ChangeAccessBody {
  /** Why, for the audit trail, 1 to 500 characters. */
  @IsString()
  @Length(1, 500)
  note: string;
}

/** A person as platform staff see them. */
export class UserEntry extends UserRecord {
  /** Whether the identity provider has verified the e-mail. */
  isEmailVerified: boolean;
  /** First sign-in. */
  createdAt: Date;
  /** Last sign-in. */
  lastSeenAt: Date | null;
  /** Since when the person is disabled; null for everybody else. */
  disabledAt: Date | null;
  /** Who or what disabled the person. */
  disabledReason: 'identity_disabled' | 'identity_deleted' | 'staff' | null;
  /** Why, in the words of platform staff. */
  disabledNote: string | null;
}

export class UserPage {
  items: UserEntry[];
  nextCursor: string | null;
}
