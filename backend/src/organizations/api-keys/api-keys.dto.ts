import { Transform } from 'class-transformer';
import { IsIn, IsISO8601, IsString, Length } from 'class-validator';
import type { Role } from '../../access/index.js';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';

/** No key is an owner: billing, transfer and deletion take a person. */
export const API_KEY_ROLES = ['viewer', 'editor', 'admin'] as const;

export class CreateApiKeyBody {
  /** 1 to 120 characters. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  @Length(1, 120)
  name: string;

  /** The most the key may do; never more than its maker. */
  @IsIn(API_KEY_ROLES)
  role: (typeof API_KEY_ROLES)[number];

  /** When it expires, at most two years from now; left out: after a year. */
  @MayBeMissing()
  @IsISO8601({ strict: true, strictSeparator: true })
  expiresAt?: string;
}

export class ApiKey {
  id: string;
  name: string;
  /** First characters of the key, to recognise it by. */
  prefix: string;
  role: Role;
  /** E-mail of its maker. */
  createdBy: string;
  createdAt: string;
  expiresAt: string;
  /** `expiring` from 30 days before it expires; an expired key is refused with `auth.key_expired`. */
  state: 'active' | 'expiring' | 'expired';
  /** To the minute. */
  lastUsedAt: string | null;
}

export class ApiKeyPage {
  items: ApiKey[];
  nextCursor: string | null;
}

export class CreatedApiKey {
  apiKey: ApiKey;
  /** The key itself, shown this once. */
  key: string;
}
