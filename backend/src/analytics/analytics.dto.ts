import { Type } from 'class-transformer';
import {
  IsIn,
  IsObject,
  IsString,
  IsUUID,
  MaxLength,
  Validate,
  ValidateNested,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { EVENT_NAMES, type EventName } from './events.js';

const MAX_TRAITS = 50;
const MAX_TRAIT_LENGTH = 1_000;
const TRAIT_NAME = /^[A-Za-z][\w .-]{0,99}$/;

/** Validates the traits of a customer profile: a small flat object. */
@ValidatorConstraint({ name: 'traits' })
export class AreTraits implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
    const entries = Object.entries(value);
    return entries.length <= MAX_TRAITS && entries.every(([name, trait]) => TRAIT_NAME.test(name) && isTrait(trait));
  }

  defaultMessage(): string {
    return `traits must be at most ${MAX_TRAITS} texts (up to ${MAX_TRAIT_LENGTH} characters), numbers or booleans by name`;
  }
}

const isTrait = (trait: unknown): boolean =>
  trait === null ||
  typeof trait === 'boolean' ||
  (typeof trait === 'number' && Number.isFinite(trait)) ||
  (typeof trait === 'string' && trait.length <= MAX_TRAIT_LENGTH && !trait.includes('\0'));

export class IntercomHashBody {
  /** The caller's uid. Any other uid is rejected. */
  @MayBeMissing()
  @IsString()
  @MaxLength(128)
  userId?: string;
}

export class IntercomHashAnswer {
  /** HMAC-SHA256 of the uid; null when this instance has no messenger. */
  userHash: string | null;
  /** Signed identity as a JWT, valid for one hour. */
  userJwt: string | null;
}

export class IdentifyBody {
  /** The caller's uid. Any other uid is rejected. */
  @MayBeMissing()
  @IsString()
  @MaxLength(128)
  userId?: string;

  /** Traits of the caller, up to 50 texts, numbers or booleans. */
  @MayBeMissing()
  @IsObject()
  @Validate(AreTraits)
  traits?: Record<string, string | number | boolean | null>;
}

export class EventProperties {
  /** Organization of the event. The caller must be a member. */
  @MayBeMissing()
  @IsUUID()
  company_id?: string;

  /** The caller's uid. Any other uid is rejected. */
  @MayBeMissing()
  @IsString()
  @MaxLength(128)
  user_id?: string;

  @MayBeMissing()
  @IsString()
  @MaxLength(200)
  type?: string;

  @MayBeMissing()
  @IsString()
  @MaxLength(200)
  destination?: string;

  @MayBeMissing()
  @IsString()
  @MaxLength(200)
  source?: string;

  @MayBeMissing()
  @IsString()
  @MaxLength(2_000)
  error_message?: string;
}

export class TrackBody {
  /** The caller's uid. Any other uid is rejected. */
  @MayBeMissing()
  @IsString()
  @MaxLength(128)
  userId?: string;

  /** One of the product's events. */
  @IsIn(EVENT_NAMES)
  eventName: EventName;

  /** Properties of the event. The server sets the user and validates the organization. */
  @MayBeMissing()
  @IsObject()
  @ValidateNested()
  @Type(() => EventProperties)
  properties?: EventProperties;
}

export class IdentifyOrganizationBody {
  /** The caller's uid. Any other uid is rejected. */
  @MayBeMissing()
  @IsString()
  @MaxLength(128)
  userId?: string;

  /** An organization of the caller. */
  @IsUUID()
  organizationId: string;
}

export class DoneAnswer {
  success: boolean;
  message: string;
}
