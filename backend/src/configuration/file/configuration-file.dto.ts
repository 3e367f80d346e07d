import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsObject, IsString, MaxLength, ValidateNested } from 'class-validator';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';
import { ConfiguredConnection, ConfiguredConversion, ConfiguredPayment } from './flows.dto.js';
import { ConfiguredApp, ConfiguredDestination, ConfiguredRule, ConfiguredSource, ConfiguredWebhook } from './parts.dto.js';

/** Entries of one kind, as in the limits of the lists below. An organization with more cannot be exported. */
export const MOST_ENTRIES = 1_000;
export const FORMAT = 'tributary.configuration';
/** Incremented when a file of the previous version can no longer be read as it is. */
export const FORMAT_VERSION = 1;

/** The configuration of an organization without secrets. Entries are sorted, so that equal configurations are equal files. */
export class ConfigurationFile {
  @IsIn([FORMAT])
  format: typeof FORMAT;

  @IsIn([FORMAT_VERSION])
  version: typeof FORMAT_VERSION;

  /** What the file does not contain, as sentences. Ignored by an import. */
  @MayBeMissing()
  @IsArray()
  @ArrayMaxSize(20)
  @IsString({ each: true })
  @MaxLength(300, { each: true })
  notIncluded?: string[];

  @IsArray()
  @ArrayMaxSize(1_000)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ConfiguredApp)
  apps: ConfiguredApp[];

  @IsArray()
  @ArrayMaxSize(1_000)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ConfiguredSource)
  sources: ConfiguredSource[];

  @IsArray()
  @ArrayMaxSize(1_000)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ConfiguredDestination)
  destinations: ConfiguredDestination[];

  @IsArray()
  @ArrayMaxSize(1_000)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ConfiguredConnection)
  connections: ConfiguredConnection[];

  @IsArray()
  @ArrayMaxSize(1_000)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ConfiguredConversion)
  conversions: ConfiguredConversion[];

  @IsArray()
  @ArrayMaxSize(1_000)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ConfiguredPayment)
  payments: ConfiguredPayment[];

  @IsArray()
  @ArrayMaxSize(20)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ConfiguredWebhook)
  webhooks: ConfiguredWebhook[];

  @IsArray()
  @ArrayMaxSize(50)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ConfiguredRule)
  notificationRules: ConfiguredRule[];
}
