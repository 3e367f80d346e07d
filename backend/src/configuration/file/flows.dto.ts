import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  MaxLength,
  Min,
  Validate,
  ValidateNested,
} from 'class-validator';
import { EMPTY_POLICIES, type EmptyPolicyName, FreshnessTargetBody, HashedFields, IsDay, LeftOutColumns, ScheduleBody, SCHEMA_POLICIES, type SchemaPolicyName } from '../../connections/index.js'; // prettier-ignore
import { CUSTOMER_ID_TYPE, type PaymentEvent, paymentEvents } from '../../connectors/catalog.js';
import { type PersonField, personFields } from '../../connectors/kit/conversion.js';
import { ConversionConditionBody } from '../../conversions/index.js';
import { IsMoment } from '../../core/http/moment.decorator.js';
import { MayBeMissing } from '../../core/http/may-be-missing.decorator.js';
import { MayBeNull } from './parts.dto.js';

/** Settled days that are loaded, of accounts with the same days. */
export class LoadedDays {
  @IsString()
  @Length(1, 64)
  stream: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(500)
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  accountIds: string[];

  /**
   * Ranges such as `2025-10-20/2026-11-22`, both days included.
   * @example ['2025-10-20/2026-11-22']
   */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @Matches(/^\d{4}-\d\d-\d\d\/\d{4}-\d\d-\d\d$/, { each: true, message: 'days must be ranges such as 2026-01-01/2026-01-31' })
  days: string[];
}

/** Where the loaded days of a stream are. The first run loads them again if the destination reports another place. */
export class LoadedPlace {
  @IsString()
  @Length(1, 64)
  stream: string;

  /** The destination's own name of the table, with its creation time. */
  @IsString()
  @Length(1, 1_000)
  place: string;

  /** `name identity` of each column that contains the loaded values. */
  @IsArray()
  @ArrayMaxSize(500)
  @IsString({ each: true })
  @Length(1, 300, { each: true })
  columns: string[];
}

/** The cursors of a connection: what it has loaded, and where. Only read when the connection is created. */
export class ConnectionCursors {
  @IsArray()
  @ArrayMaxSize(200)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => LoadedDays)
  loaded: LoadedDays[];

  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique(({ stream }: LoadedPlace) => stream)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => LoadedPlace)
  places: LoadedPlace[];
}

/** Connections are matched by source, destination and name. */
export class ConfiguredConnection {
  @IsString()
  @Length(1, 120)
  name: string;

  /** Key of the source. */
  @IsString()
  @Length(1, 300)
  source: string;

  /** Key of the destination. */
  @IsString()
  @Length(1, 300)
  destination: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  streams: string[];

  /** Columns that are not written. */
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique(({ stream }: LeftOutColumns) => stream)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => LeftOutColumns)
  leftOut: LeftOutColumns[];

  /** Columns that are stored as SHA-256 hashes. */
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique(({ stream }: HashedFields) => stream)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => HashedFields)
  hashedFields: HashedFields[];

  @IsObject()
  @ValidateNested()
  @Type(() => ScheduleBody)
  schedule: ScheduleBody;

  /** Null uses the platform's own windows. */
  @MayBeNull()
  @IsInt()
  @Min(0)
  @Max(90)
  lookbackDays: number | null;

  /** When each day must be complete; null or omitted: no target. */
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => FreshnessTargetBody)
  freshnessTarget?: FreshnessTargetBody | null;

  @Validate(IsDay)
  historyFrom: string;

  @IsIn(SCHEMA_POLICIES)
  schemaPolicy: SchemaPolicyName;

  @IsIn(EMPTY_POLICIES)
  emptyPolicy: EmptyPolicyName;

  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 40, { each: true })
  tags: string[];

  /** Only read when the connection is created. */
  @IsIn(['active', 'paused'])
  desired: 'active' | 'paused';

  @MayBeMissing()
  @IsObject()
  @ValidateNested()
  @Type(() => ConnectionCursors)
  cursors?: ConnectionCursors;
}

export class ConfiguredConversionSource {
  /** Key of a custom or payment app; null: a destination. */
  @MayBeNull()
  @IsString()
  @Length(1, 300)
  app: string | null;

  /** Key of a destination; null: an app. */
  @MayBeNull()
  @IsString()
  @Length(1, 300)
  destination: string | null;

  @IsObject()
  settings: Record<string, unknown>;
}

export class ConfiguredConversionTarget {
  /** Key of the app of the ad platform. */
  @IsString()
  @Length(1, 300)
  app: string;

  @IsString()
  @Length(1, 100)
  accountId: string;

  @IsString()
  @Length(1, 200)
  name: string;

  @IsObject()
  settings: Record<string, unknown>;
}

/** Conversions are matched by name. An imported conversion is paused. */
export class ConfiguredConversion {
  @IsString()
  @Length(1, 120)
  name: string;

  @IsObject()
  @ValidateNested()
  @Type(() => ConfiguredConversionSource)
  source: ConfiguredConversionSource;

  @IsObject()
  @ValidateNested()
  @Type(() => ConfiguredConversionTarget)
  target: ConfiguredConversionTarget;

  @IsArray()
  @ArrayMaxSize(10)
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => ConversionConditionBody)
  filter: ConversionConditionBody[];

  @IsObject()
  mapping: Record<string, unknown>;

  @IsArray()
  @ArrayMaxSize(11)
  @IsIn(personFields, { each: true })
  hashedFields: PersonField[];

  @IsIn(['first_only', 'every'])
  countRule: 'first_only' | 'every';

  @IsIn(['block', 'send'])
  onUnknownConsent: 'block' | 'send';

  @IsIn(['resend', 'hold'])
  onUnknownOutcome: 'resend' | 'hold';

  @MayBeNull()
  @Matches(/^[A-Z]{2}$/, { message: 'defaultCountry must be a country code such as DE' })
  defaultCountry: string | null;

  @IsBoolean()
  hashesExternalId: boolean;

  @IsBoolean()
  sendsAdjustments: boolean;

  @MayBeNull()
  @IsString()
  @MaxLength(100)
  testCode: string | null;

  @IsObject()
  @ValidateNested()
  @Type(() => ScheduleBody)
  schedule: ScheduleBody;

  /** Time of the first event that is read. Only read when the conversion is created. */
  @IsMoment()
  since: string;
}

/** Payments are matched by app. An imported payment is paused. Its webhook secret is not included. */
export class ConfiguredPayment {
  @IsString()
  @Length(1, 120)
  name: string;

  /** Key of the Stripe app. */
  @IsString()
  @Length(1, 300)
  app: string;

  /** Keys of the destinations. */
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 300, { each: true })
  destinations: string[];

  @IsString()
  @Matches(CUSTOMER_ID_TYPE, { message: 'customerIdType must be stripe_id, email, or metadata: and a key' })
  customerIdType: string;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsIn(paymentEvents, { each: true })
  events: PaymentEvent[];

  @IsIn(['gross', 'net'])
  amountMode: 'gross' | 'net';

  @Validate(IsDay)
  historyFrom: string;
}
