import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  IsEmail,
  IsOptional,
  IsString,
  isURL,
  MaxLength,
  MinLength,
  Validate,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';

/** `IsUrl` would document the format `uri`, which an empty text does not have. */
@ValidatorConstraint({ name: 'photoUrl' })
export class IsPhotoUrl implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return (
      typeof value === 'string' && isURL(value, { require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
    );
  }
  defaultMessage(): string {
    return '$property must be a URL address';
  }
}

export class GetOrSaveUserBody {
  /** The caller's e-mail. Any other e-mail is rejected. */
  @IsEmail()
  @MaxLength(320)
  email: string;

  /** Name to store, up to 200 characters. Firebase has none (null) for some accounts; then the name of the token or the e-mail. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  fullName?: string | null;

  /** The caller's Firebase uid. Any other uid is rejected. */
  @IsString()
  @MinLength(1)
  @MaxLength(128)
  uid: string;

  /** Address of a profile picture. Null or an empty text: no picture. Default: the picture of the sign-in. */
  @Transform(({ value }: { value: unknown }) => (value === '' ? null : value))
  @IsOptional()
  @ApiProperty({ type: String, nullable: true, pattern: '^(https?://\\S+)?$' })
  @Validate(IsPhotoUrl)
  @MaxLength(2000)
  photoURL?: string | null;
}

export class GetUserBody {
  /** Firebase uid. Default: the caller. */
  @MayBeMissing()
  @IsString()
  @MinLength(1)
  @MaxLength(128)
  userId?: string;
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
