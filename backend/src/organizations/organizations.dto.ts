import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsString, IsUUID, Length, Matches, MaxLength } from 'class-validator';
import type { Role } from '../access/access.decorator.js';

export class CreateOrganizationBody {
  /** 1 to 120 characters. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  @Length(1, 120)
  companyName: string;

  /** The caller's own uid; another one is refused. */
  @IsOptional()
  @IsString()
  @MaxLength(128)
  userId?: string;

  /** Whether the caller lands here after signing in. */
  @IsOptional()
  @IsBoolean()
  isDefault?: boolean;

  /** An https address, or a PNG, JPEG, SVG or WebP data URL up to 200 kB. */
  @IsOptional()
  @IsString()
  @MaxLength(280_000)
  @Matches(/^(https:\/\/\S+|data:image\/(png|jpeg|svg\+xml|webp);base64,[A-Za-z0-9+/=]+)$/, {
    message: 'company_logo must be an https address or an image data URL',
  })
  company_logo?: string | null;
}

export class CreateOrganizationAnswer {
  success: boolean;
  message: string;
  /** The new organization's id. */
  organizationId: string;
}

export class OrganizationIdsQuery {
  /** The caller's own uid; another one is refused. */
  @IsOptional()
  @IsString()
  @MaxLength(128)
  userId?: string;

  /** Asks for every organization; counts only for platform staff. */
  @IsOptional()
  @IsIn(['true', 'false'])
  superadmin?: 'true' | 'false';
}

export class OrganizationEntry {
  organizationId: string;
  companyName: string;
  logo: string | null;
  /** Connections that are not deleted. */
  connectionsCount: number;
}

export class OrganizationIdsAnswer {
  success: boolean;
  organizations: OrganizationEntry[];
}

export const ORGANIZATION_DATA_TYPES = ['organization', 'app', 'source', 'destination', 'connection'] as const;
export type OrganizationDataType = (typeof ORGANIZATION_DATA_TYPES)[number];

export class OrganizationDataQuery {
  /** The organization's id. */
  @IsUUID()
  documentId: string;

  /** What to read. */
  @IsIn(ORGANIZATION_DATA_TYPES)
  type: OrganizationDataType;

  /** The item's id; left out for the organization itself, and for the list of all items of a type. */
  @IsOptional()
  @IsUUID()
  key?: string;
}

export class OrganizationDataAnswer {
  /** The document, a list of them, or null. Secrets are never part of it. */
  @ApiProperty({ oneOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' }, maxItems: 1_000 }, { type: 'null' }] })
  data: object | object[] | null;
  status: 'success' | 'not_found';
}

export class Organization {
  id: string;
  name: string;
  logo: string | null;
  /** The caller's role. */
  role: Role;
  connectionsCount: number;
  /** ISO 4217, for reports. */
  currency: string;
  /** IANA name, for schedules. */
  timeZone: string;
  createdAt: string;
  version: number;
}
