import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  Validate,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { ruleEvents, type RuleEvent } from '../../alerts/index.js';
import { type Role, ROLES } from '../../access/index.js';
import { IsProviderOf } from '../../catalog/index.js';
import { type Level, levels, type ProviderName } from '../../connectors/kit/contract.js';
import { toPresentTimeZone } from '../../connectors/kit/time-zones.js';
import { allProviders } from '../../connectors/registry.js';
import { IsTimeZone } from '../../organizations/index.js';
import { SourceSettingsBody } from '../../sources/index.js';

export const MayBeNull = (): PropertyDecorator => ValidateIf((_, value) => value !== null);

/** Accounts of one app that its sources read. An organization with more cannot be exported. */
export const MOST_ACCOUNTS = 10_000;

export const AUTH_MODES = ['oauth2', 'service_account', 'password', 'push_key', 'api_key'] as const;

/** An ad account as its platform described it. Replaced by the platform's list when the app is connected. */
export class ConfiguredAccount {
  @IsString()
  @Length(1, 64)
  externalId: string;

  @IsString()
  @MaxLength(300)
  name: string;

  /** ISO 4217; empty if the platform reports none. */
  @Matches(/^([A-Z]{3})?$/, { message: 'currency must be empty or a code such as EUR' })
  currency: string;

  @Transform(toPresentTimeZone)
  @Validate(IsTimeZone)
  timeZone: string;

  @IsIn(['enabled', 'disabled', 'closed'])
  status: 'enabled' | 'disabled' | 'closed';
}

/** Defaults of new sources of an app. */
export class ConfiguredSourceDefaults {
  @IsIn(levels)
  level: Level;

  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  breakdowns: string[];

  @MayBeNull()
  @IsInt()
  @Min(0)
  @Max(90)
  lookbackDays: number | null;
}

/** Rules of the push endpoint of a custom app. Its key is not included. */
export class ConfiguredPush {
  @MayBeNull()
  @IsObject()
  schema: Record<string, unknown> | null;

  @MayBeNull()
  @Length(1, 64)
  @Matches(/^[\w$.-]+$/)
  dedupeField: string | null;
}

/** An app without its credentials. */
export class ConfiguredApp {
  /** Reference for other entries of the file. Apps are matched by provider and name. */
  @IsString()
  @Length(1, 300)
  key: string;

  @IsProviderOf(allProviders)
  provider: ProviderName;

  @IsString()
  @Length(1, 120)
  name: string;

  @IsIn(AUTH_MODES)
  authMode: (typeof AUTH_MODES)[number];

  /** What the app is used for. Follows from the provider, and is ignored by an import. */
  @IsArray()
  @ArrayMaxSize(2)
  @IsIn(['source', 'destination'], { each: true })
  roles: ('source' | 'destination')[];

  /** The accounts that its sources read. */
  @IsArray()
  @ArrayMaxSize(10_000)
  @ArrayUnique(({ externalId }: ConfiguredAccount) => externalId)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ConfiguredAccount)
  accounts: ConfiguredAccount[];

  @MayBeNull()
  @IsObject()
  @ValidateNested()
  @Type(() => ConfiguredSourceDefaults)
  sourceDefaults: ConfiguredSourceDefaults | null;

  /** Null for other providers than custom. */
  @MayBeNull()
  @IsObject()
  @ValidateNested()
  @Type(() => ConfiguredPush)
  push: ConfiguredPush | null;
}

export class ConfiguredSource {
  /** Reference for other entries of the file. Sources are matched by app and name. */
  @IsString()
  @Length(1, 300)
  key: string;

  @IsString()
  @Length(1, 120)
  name: string;

  /** Key of the app. */
  @IsString()
  @Length(1, 300)
  app: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  accountIds: string[];

  @IsObject()
  @ValidateNested()
  @Type(() => SourceSettingsBody)
  settings: SourceSettingsBody;
}

export class ConfiguredDestination {
  /** Reference for other entries of the file. Destinations are matched by provider and name. */
  @IsString()
  @Length(1, 300)
  key: string;

  @IsString()
  @Length(1, 120)
  name: string;

  /** Key of the app that has the credentials. */
  @IsString()
  @Length(1, 300)
  app: string;

  /** As defined by the settings schema of the connector. None of them is secret. */
  @IsObject()
  settings: Record<string, unknown>;
}

/** A signed webhook without its signing secret. Webhooks of Slack are not included, because their address is a secret. */
export class ConfiguredWebhook {
  /** Reference for other entries of the file. Webhooks are matched by address. */
  @IsString()
  @Length(1, 300)
  key: string;

  @IsString()
  @Length(1, 120)
  name: string;

  @IsString()
  @Length(10, 2_000)
  url: string;

  @IsBoolean()
  isEnabled: boolean;
}

/** A notification rule. Rules are matched by channel and webhook, in their order. Single members are not included. */
export class ConfiguredRule {
  @IsIn(['in_app', 'mail', 'webhook'])
  channel: 'in_app' | 'mail' | 'webhook';

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsIn(ruleEvents, { each: true })
  events: RuleEvent[];

  @IsBoolean()
  includesRecovery: boolean;

  /** Roles whose members receive a mail; empty for other channels. */
  @IsArray()
  @ArrayMaxSize(4)
  @ArrayUnique()
  @IsIn(ROLES, { each: true })
  roles: Role[];

  /** Key of the webhook; null for other channels. */
  @MayBeNull()
  @IsString()
  @Length(1, 300)
  webhook: string | null;

  @IsBoolean()
  isEnabled: boolean;
}
