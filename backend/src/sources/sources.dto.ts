import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsInt, IsString, IsUUID, Length, Max, Min } from 'class-validator';
import { AdAccountEntry } from '../platform/failure.dto.js';
import { MayBeMissing } from '../platform/may-be-missing.decorator.js';
import { INTEGER_MAX } from '../platform/limits.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** What is read: some accounts of an app. */
export class SourceEntry {
  id: string;
  name: string;
  appId: string;
  appName: string;
  provider: 'google_ads';
  /** The chosen accounts. */
  accounts: AdAccountEntry[];
  /** `needs_reauth` when its app is; `needs_attention` when a chosen account is gone or closed. */
  state: 'ready' | 'needs_reauth' | 'needs_attention' | 'disabled';
  /** Connections that read it. */
  usedBy: number;
  /** First day any connection has brought. */
  earliestDataAt: string | null;
  /** Last day any connection has brought. */
  latestDataAt: string | null;
  createdAt: string;
  version: number;
}

export class SourcePage {
  items: SourceEntry[];
  nextCursor: string | null;
}

export class CreateSourceBody {
  /** A connected app. */
  @IsUUID()
  appId: string;

  /** 1 to 120 characters. */
  @trimmed
  @IsString()
  @Length(1, 120)
  name: string;

  /** Accounts of that app, 1 to 500. */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  accountIds: string[];
}

export class UpdateSourceBody {
  /** 1 to 120 characters. */
  @MayBeMissing()
  @trimmed
  @IsString()
  @Length(1, 120)
  name?: string;

  /** Accounts of the app, 1 to 500. */
  @MayBeMissing()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  accountIds?: string[];

  /** The version that was read; 409 when it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}
