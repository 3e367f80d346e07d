import { Transform } from 'class-transformer';
import {
  IsIn,
  IsInt,
  Matches,
  Max,
  MaxLength,
  Min,
  Validate,
  ValidateIf,
  type ValidationArguments,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { cronProblem } from './cron.js';
import { toPresentTimeZone } from '../../connectors/kit/time-zones.js';
import { IsTimeZone } from '../../organizations/index.js';

@ValidatorConstraint({ name: 'cron' })
export class IsCron implements ValidatorConstraintInterface {
  validate(value: unknown): boolean {
    return typeof value === 'string' && cronProblem(value) === null;
  }
  defaultMessage({ value }: ValidationArguments): string {
    return `$property ${typeof value === 'string' ? cronProblem(value) : 'must be a string'}`;
  }
}

/** When runs start automatically. */
export class ScheduleBody {
  @IsIn(['manual', 'interval', 'daily', 'cron'])
  kind: 'manual' | 'interval' | 'daily' | 'cron';

  /** For `interval`: 15 to 1440. */
  @ValidateIf(({ kind, everyMinutes }: ScheduleBody) => kind === 'interval' || everyMinutes !== undefined)
  @IsInt()
  @Min(15)
  @Max(1440)
  everyMinutes?: number;

  /** For `daily`: local time, `HH:MM`. */
  @ValidateIf(({ kind, atTime }: ScheduleBody) => kind === 'daily' || atTime !== undefined)
  @Matches(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'atTime must be HH:MM' })
  atTime?: string;

  /** For `cron`: minute, hour, day of the month, month and weekday. At least 15 minutes between runs. */
  @ValidateIf(({ kind, cron }: ScheduleBody) => kind === 'cron' || cron !== undefined)
  @MaxLength(100)
  @Validate(IsCron)
  cron?: string;

  /** For `interval` and `cron`: local time, `HH:MM`. Scheduled runs that are due earlier on a day start at this time. */
  @ValidateIf(({ notBefore }: ScheduleBody) => notBefore !== undefined)
  @Matches(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'notBefore must be HH:MM' })
  notBefore?: string;

  /** IANA name of the time zone of `daily`, `cron` and `notBefore`. */
  @Transform(toPresentTimeZone)
  @Validate(IsTimeZone)
  timeZone: string;
}
