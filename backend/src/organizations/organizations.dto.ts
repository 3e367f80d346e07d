import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsString, IsUUID, Length, MaxLength, Validate } from 'class-validator';
import type { Role } from '../access/index.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { IsLogo } from './logos/logo.js';

export class CreateOrganizationBody {
  /** 1 to 120 characters. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  @Length(1, 120)
  companyName: string;

  /** The caller's uid. Any other uid is rejected. */
  @MayBeMissing()
  @IsString()
  @MaxLength(128)
  userId?: string;

  /** Whether this is the caller's default organization after sign-in. */
  @MayBeMissing()
  @IsBoolean()
  isDefault?: boolean;

  /** A data URL of a PNG, JPEG or WebP picture up to 200 kB. */
  @IsOptional()
  @IsString()
  @MaxLength(280_000)
  @Validate(IsLogo)
  company_logo?: string | null;
}

export class CreateOrganizationAnswer {
  success: boolean;
  message: string;
  /** The new organization's id. */
  organizationId: string;
}

export class OrganizationIdsQuery {
  /** The caller's uid. Any other uid is rejected. */
  @MayBeMissing()
  @IsString()
  @MaxLength(128)
  userId?: string;

  /** Requests all organizations. Ignored unless the caller is platform staff. */
  @MayBeMissing()
  @IsIn(['true', 'false'])
  superadmin?: 'true' | 'false';
}

export class OrganizationEntry {
  organizationId: string;
  companyName: string;
  /** Path of the logo on this host. */
  logo: string | null;
  /** Connections that are not deleted. */
  connectionsCount: number;
  /** The caller's role; null for platform staff who are not members. */
  role: Role | null;
}

export class OrganizationIdsAnswer {
  success: boolean;
  /** At most 1,000 organizations of the caller; at most 5,000 for platform staff who request all. */
  organizations: OrganizationEntry[];
}

export const DELETABLE_TYPES = ['app', 'source', 'destination', 'connection', 'conversion', 'payment'] as const;
export type DeletableType = (typeof DELETABLE_TYPES)[number];

export const ORGANIZATION_DATA_TYPES = ['organization', ...DELETABLE_TYPES, 'subscription'] as const;
export type OrganizationDataType = (typeof ORGANIZATION_DATA_TYPES)[number];

export class OrganizationDataQuery {
  /** The organization's id. */
  @IsUUID()
  documentId: string;

  /** Type of the documents. */
  @IsIn(ORGANIZATION_DATA_TYPES)
  type: OrganizationDataType;

  /** The item's id. Omit it for the organization itself and for the list of all items of a type. */
  @MayBeMissing()
  @IsUUID()
  key?: string;
}

export class OrganizationDataAnswer {
  /** The document, a list of documents, or null. It never contains secrets. */
  @ApiProperty({ oneOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' }, maxItems: 1_000 }, { type: 'null' }] })
  data: object | object[] | null;
  status: 'success' | 'not_found';
}

export class DeleteQuery {
  /** The organization's id. */
  @IsUUID()
  documentId: string;

  /** Type of the item. */
  @IsIn(DELETABLE_TYPES)
  type: DeletableType;

  /** The item's id. */
  @IsUUID()
  key: string;
}

export class DeleteAnswer {
  success: boolean;
  message: string;
}
