import { Transform } from 'class-transformer';
import {
  IsBoolean,
  IsInt,
  IsISO4217CurrencyCode,
  IsOptional,
  IsString,
  IsTimeZone,
  Length,
  MaxLength,
  Max,
  Min,
  Validate,
} from 'class-validator';
import type { Role } from '../access/index.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { INTEGER_MAX } from '../core/http/limits.js';
import { IsLogoOrCurrentUrl } from './logos/logo.js';

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

export class Organization {
  id: string;
  name: string;
  /** Path of the logo at this host. */
  logo: string | null;
  /** The caller's role. */
  role: Role;
  /** What the caller may do here, such as members.write. */
  permissions: string[];
  /** Platform staff looking in, read-only. */
  isVisit: boolean;
  connectionsCount: number;
  /** ISO 4217, for reports. */
  currency: string;
  /** IANA name, for schedules. */
  timeZone: string;
  createdAt: string;
  version: number;
  /** Whether owners and admins must sign in with a second factor. */
  requireSecondFactor: boolean;
}

export class UpdateSecurityBody {
  /** Whether owners and admins must sign in with a second factor; who switches it on must have one. */
  @IsBoolean()
  requireSecondFactor: boolean;
}

export class UpdateOrganizationBody {
  /** 1 to 120 characters. */
  @MayBeMissing()
  @Transform(trimmed)
  @IsString()
  @Length(1, 120)
  name?: string;

  /** ISO 4217, for reports. */
  @MayBeMissing()
  @IsISO4217CurrencyCode()
  currency?: string;

  /** IANA name, for schedules. */
  @MayBeMissing()
  @IsString()
  @MaxLength(64)
  @IsTimeZone()
  timeZone?: string;

  /** A data URL of a PNG, JPEG or WebP picture up to 200 kB; the URL that was read keeps it, null removes it. */
  @IsOptional()
  @IsString()
  @MaxLength(280_000)
  @Validate(IsLogoOrCurrentUrl)
  logo?: string | null;

  /** The version that was read; an older one is refused. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class DeleteOrganizationQuery {
  /** The organization's name, to be sure. */
  @IsString()
  @MaxLength(200)
  confirmName: string;
}

export class DeletedOrganization {
  id: string;
  name: string;
  /** Path of the logo at this host. */
  logo: string | null;
  deletedAt: string;
  /** From then on it cannot be restored. */
  purgeAt: string;
}

export class DeletedOrganizationList {
  /** The latest 100. */
  items: DeletedOrganization[];
}
