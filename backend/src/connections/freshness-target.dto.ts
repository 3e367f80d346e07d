import { Transform } from 'class-transformer';
import { IsInt, IsString, Matches, Max, MaxLength, Min, Validate } from 'class-validator';
import { toPresentTimeZone } from '../connectors/kit/time-zones.js';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';
import { z } from 'zod';
import { jsonColumn } from '../core/database/json-column.js';
import { IsTimeZone } from '../organizations/index.js';

/** The stored form: with all fields. */
export class FreshnessTarget {
  atTime: string;
  timeZone: string;
  daysAfter: number;
}

/** `connections.freshness_target` */
export const freshnessTargetColumn = jsonColumn<FreshnessTarget>(
  z.object({ atTime: z.string(), timeZone: z.string(), daysAfter: z.number() }),
);

/** When each day must be complete: by `atTime` in `timeZone`, `daysAfter` days later. */
export class FreshnessTargetBody {
  /** Local time, `HH:MM`. If a day has not ended in every account by then, it is due a day later. */
  @Matches(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'atTime must be HH:MM' })
  atTime: string;

  /** IANA name of the time zone of `atTime`. */
  @Transform(toPresentTimeZone)
  @IsString()
  @MaxLength(64)
  @Validate(IsTimeZone)
  timeZone: string;

  /** Days after the day, 1 to 7. Default: 1, so that yesterday is complete by `atTime`. */
  @MayBeMissing()
  @IsInt()
  @Min(1)
  @Max(7)
  daysAfter?: number;
}

export const toFreshnessTarget = ({ atTime, timeZone, daysAfter = 1 }: FreshnessTargetBody): FreshnessTarget => ({
  atTime,
  timeZone,
  daysAfter,
});
