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
import { ProviderOf } from '../catalog/index.js';
import { type Level, levels, type ProviderName } from '../connectors/kit/contract.js';
import { sourceProviders } from '../connectors/registry.js';
import { AdAccountEntry, Failure } from '../core/http/failure.dto.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { INTEGER_MAX } from '../core/http/limits.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** How a source is read. */
export class SourceSettingsEntry {
  /** Streams down to this level are offered. */
  level: Level;
  /** Streams split by these breakdowns are offered. */
  breakdowns: string[];
  /** Days before today that each run reads again; null uses the platform's own windows. */
  lookbackDays: number | null;
  /** Options as defined by the catalog's settings schema of the platform. */
  options: Record<string, unknown>;
}

export class SourceSettingsBody {
  /** Streams down to this level are offered; all if omitted. */
  @MayBeMissing()
  @IsIn(levels)
  level?: Level;

  /** Streams split by these breakdowns are offered; all if omitted. */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  breakdowns?: string[];

  /** Days each run reads again, 0 to 90; null uses the platform's own windows. */
  @MayBeMissing()
  @ValidateIf((_, value) => value !== null)
  @IsInt()
  @Min(0)
  @Max(90)
  lookbackDays?: number | null;

  /** Options as defined by the catalog's settings schema. */
  @MayBeMissing()
  @IsObject()
  options?: Record<string, unknown>;
}

/** Accounts of an app from which connections read. */
export class SourceEntry {
  id: string;
  name: string;
  appId: string;
  appName: string;
  @ProviderOf(sourceProviders)
  provider: ProviderName;
  /** The selected accounts. */
  accounts: AdAccountEntry[];
  settings: SourceSettingsEntry;
  /** Names of the streams it provides. */
  streams: string[];
  /** First day the platform still has data for; null if unlimited. */
  earliestAvailable: string | null;
  /** `needs_reauth` if its app needs it; `needs_attention` if a selected account is missing or closed. */
  state: 'ready' | 'needs_reauth' | 'needs_attention' | 'disabled';
  /** Number of connections that read it. */
  usedBy: number;
  /** First day with rows loaded by any connection. */
  earliestDataAt: string | null;
  /** Last day with rows loaded by any connection. */
  latestDataAt: string | null;
  createdAt: string;
  version: number;
}

export class SourcePage {
  items: SourceEntry[];
  nextCursor: string | null;
}

export class CreateSourceBody {
  /** Id of a connected app. */
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

  /** How it is read. Omitted settings use the app's defaults, or the general defaults. */
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

  /** Replaces all settings. Omitted settings use the general defaults. */
  @MayBeMissing()
  @IsObject()
  @ValidateNested()
  @Type(() => SourceSettingsBody)
  settings?: SourceSettingsBody;

  /** The version that was read; 409 if it has changed since. */
  @IsInt()
  @Min(1)
  @Max(INTEGER_MAX)
  version: number;
}

export class WindowsQuery {
  /**
   * `true` requests missing windows and windows older than a day from the platform and requires the role editor; otherwise the
   * stored values are returned.
   */
  @MayBeMissing()
  @IsIn(['true', 'false'])
  refresh?: 'true' | 'false';
}

/** Lookback window of one account, as its platform reported it last. */
export class AccountWindow {
  accountId: string;
  /** Null if the account was never read. */
  lookbackDays: number | null;
  /** When it was read; null if never. */
  learnedAt: string | null;
}

export class SourceWindows {
  items: AccountWindow[];
  /** Why the request to the platform failed; null if it succeeded or was not needed. */
  failure: Failure | null;
}
