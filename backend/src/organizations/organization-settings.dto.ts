import { Transform } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, IsString, Length, MaxLength, Max, Min, Validate } from 'class-validator';
import { toPresentTimeZone } from '../connectors/kit/time-zones.js';
import type { Role } from '../access/index.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { INTEGER_MAX } from '../core/http/limits.js';
import { IsCurrency } from './currency.js';
import { IsTimeZone } from './time-zone.js';
import { IsLogoOrCurrentUrl } from './logos/logo.js';

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value);

export class Organization {
  id: string;
  name: string;
  /** Path of the logo on this host. */
  logo: string | null;
  /** The caller's role. */
  role: Role;
  /** The caller's permissions in this organization, such as members.write. */
  permissions: string[];
  /** Read-only visit of platform staff. */
  isVisit: boolean;
  connectionsCount: number;
  /** Currency of reports, ISO 4217. */
  currency: string;
  /** Time zone of usage, of the days of runs in charts and of the weekly summary, as an IANA name. Schedules have their own. */
  timeZone: string;
  createdAt: string;
  version: number;
  /** Whether owners and admins must sign in with a second factor. */
  requireSecondFactor: boolean;
  /** Whether the caller has chosen it as their default: it is listed first and opens when a link names no organization. */
  isDefault: boolean;
}

export class UpdateMembershipBody {
  /** Whether this organization is the caller's default. The previous default is replaced. */
  @IsBoolean()
  isDefault: boolean;
}

export class UpdateSecurityBody {
  /** Whether owners and admins must sign in with a second factor. The caller must use one to turn this on. */
  @IsBoolean()
  requireSecondFactor: boolean;

  /** The version of the organization that the client has read. An outdated version is rejected. */
  @MayBeMissing()
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version?: number;
}

export class UpdateOrganizationBody {
  /** 1 to 120 characters. */
  @MayBeMissing()
  @Transform(trimmed)
  @IsString()
  @Length(1, 120)
  name?: string;

  /** Currency of reports, ISO 4217. */
  @MayBeMissing()
  @Validate(IsCurrency)
  currency?: string;

  /** Time zone of usage, of the days of runs in charts and of the weekly summary, as an IANA name. Schedules have their own. */
  @MayBeMissing()
  @Transform(toPresentTimeZone)
  @IsString()
  @MaxLength(64)
  @Validate(IsTimeZone)
  timeZone?: string;

  /** A data URL of a PNG, JPEG or WebP picture up to 200 kB. The current URL leaves the logo unchanged; null removes it. */
  @IsOptional()
  @IsString()
  @MaxLength(280_000)
  @Validate(IsLogoOrCurrentUrl)
  logo?: string | null;

  /** The version that the client has read. An outdated version is rejected. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class DeleteOrganizationQuery {
  /** The organization's name, as a confirmation. */
  @IsString()
  @MaxLength(200)
  confirmName: string;
}

export class DeletedOrganization {
  id: string;
  name: string;
  /** Path of the logo on this host. */
  logo: string | null;
  deletedAt: string;
  /** Time of permanent deletion. From then on it cannot be restored. */
  purgeAt: string;
}

export class DeletedOrganizationList {
  /** The 100 most recently deleted organizations. */
  items: DeletedOrganization[];
}
