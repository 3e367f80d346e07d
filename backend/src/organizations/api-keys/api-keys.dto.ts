import { Transform } from 'class-transformer';
import { IsIn, IsString, Length } from 'class-validator';
import type { Role } from '../../access/index.js';
import { IsMoment } from '../../core/http/moment.decorator.js';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';

/** API keys cannot have the role owner: billing, transfer and deletion require a person. */
export const API_KEY_ROLES = ['viewer', 'editor', 'admin'] as const;

export class CreateApiKeyBody {
  /** 1 to 120 characters. */
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  @IsString()
  @Length(1, 120)
  name: string;

  /** Role of the key. It cannot be above its creator's role. */
  @IsIn(API_KEY_ROLES)
  role: (typeof API_KEY_ROLES)[number];

  /** Expiry, at most two years from now. Default: one year. */
  @MayBeMissing()
  @IsMoment()
  expiresAt?: string;
}

export class ApiKey {
  id: string;
  name: string;
  /** First characters of the key, to identify it. */
  prefix: string;
  role: Role;
  /** E-mail of its creator. */
  createdBy: string;
  createdAt: string;
  expiresAt: string;
  /** `expiring` from 30 days before it expires. An expired key is rejected with `auth.key_expired`. */
  state: 'active' | 'expiring' | 'expired';
  /** Time of the last use, accurate to one minute. */
  lastUsedAt: string | null;
}

export class ApiKeyPage {
  items: ApiKey[];
  nextCursor: string | null;
}

export class CreatedApiKey {
  apiKey: ApiKey;
  /** The key itself. It is shown only once. */
  key: string;
}
