import { IsEmail, IsOptional, IsString, IsUrl, MaxLength, MinLength } from 'class-validator';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';

export class GetOrSaveUserBody {
  /** The caller's e-mail. Any other e-mail is rejected. */
  @IsEmail()
  @MaxLength(320)
  email: string;

  /** Name to store, up to 200 characters. */
  @MayBeMissing()
  @IsString()
  @MaxLength(200)
  fullName?: string;

  /** The caller's Firebase uid. Any other uid is rejected. */
  @IsString()
  @MinLength(1)
  @MaxLength(128)
  uid: string;

  /** Address of a profile picture. */
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  @MaxLength(2000)
  photoURL?: string | null;
}

export class GetUserBody {
  /** The caller's own Firebase uid. */
  @IsString()
  @MinLength(1)
  @MaxLength(128)
  userId: string;
}

export class UserRecord {
  /** Lower-cased e-mail, from the token. */
  email: string;
  /** Display name. */
  fullName: string;
  /** Firebase uid. */
  uid: string;
  /** Address of the profile picture. */
  photoURL: string | null;
  /** `super_admin` is platform staff. */
  role: 'user' | 'super_admin';
}

export class UserAnswer {
  success: boolean;
  message: string;
  user: UserRecord;
}

export class Me extends UserRecord {
  /** Whether the identity provider has verified the e-mail. */
  isEmailVerified: boolean;
  /** Whether this sign-in used a second factor. */
  hasSecondFactor: boolean;
}
