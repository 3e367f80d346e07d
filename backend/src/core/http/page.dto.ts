import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { MayBeMissing } from './may-be-missing.decorator.js';

/** What every list takes. */
export class PageQuery {
  /** How many items at most, 1 to 100. */
  @ApiPropertyOptional()
  @MayBeMissing()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 50;

  /** `nextCursor` of the page before. */
  @MayBeMissing()
  @IsString()
  @MaxLength(500)
  cursor?: string;
}
