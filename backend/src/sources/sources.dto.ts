import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  IsUUID,
  Length,
  Max,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { type Level, levels, type SourceProvider } from '../connectors/kit/contract.js';
import { AdAccountEntry, Failure } from '../core/http/failure.dto.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { INTEGER_MAX } from '../core/http/limits.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** How a source is read. */
export class SourceSettingsEntry {
  /** Streams down to this level are offered. */
  level: Level;
  /** Streams split by these are offered. */
  breakdowns: string[];
  /** Days before today that each run reads again; null takes the platform's own windows. */
  lookbackDays: number | null;
  /** What the catalog's settings schema of the platform has. */
  options: Record<string, unknown>;
}

export class SourceSettingsBody {
  /** Streams down to this level are offered; all when left out. */
  @MayBeMissing()
  @IsIn(levels)
  level?: Level;

  /** Streams split by these are offered; all when left out. */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  breakdowns?: string[];

  /** Days each run reads again, 0 to 90; null takes the platform's own windows. */
  @MayBeMissing()
  @ValidateIf((_, value) => value !== null)
  @IsInt()
  @Min(0)
  @Max(90)
  lookbackDays?: number | null;

  /** As the catalog's settings schema has it. */
  @MayBeMissing()
  @IsObject()
  options?: Record<string, unknown>;
}

/** What is read: some accounts of an app. */
export class SourceEntry {
  id: string;
  name: string;
  appId: string;
  appName: string;
  provider: SourceProvider;
  /** The chosen accounts. */
  accounts: AdAccountEntry[];
  settings: SourceSettingsEntry;
  /** Names of the streams it brings. */
  streams: string[];
  /** First day the platform still answers for; null: as far as there is data. */
  earliestAvailable: string | null;
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

  /** How it is read; what is left out is as the app's defaults say, or the usual. */
  @MayBeMissing()
  @IsObject()
  @ValidateNested()
  @Type(() => SourceSettingsBody)
  settings?: SourceSettingsBody;
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

  /** Replaces all settings; what is left out takes the usual. */
  @MayBeMissing()
  @IsObject()
  @ValidateNested()
  @Type(() => SourceSettingsBody)
  settings?: SourceSettingsBody;

  /** The version that was read; 409 when it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class WindowsQuery {
  /** `true` asks the platform for what is missing or older than a day, and takes the role editor; otherwise what is stored. */
  @MayBeMissing()
  @IsIn(['true', 'false'])
  refresh?: 'true' | 'false';
}

/** How far back one account may still change, as its platform said last. */
export class AccountWindow {
  accountId: string;
  /** Null when the account was never asked. */
  lookbackDays: number | null;
  /** When it was asked; null: never. */
  learnedAt: string | null;
}

export class SourceWindows {
  items: AccountWindow[];
  /** Why the platform could not be asked; null when it was, or did not have to be. */
  failure: Failure | null;
}
