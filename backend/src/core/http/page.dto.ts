import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsString, Max, MaxLength, Min } from 'class-validator';
import { MayBeMissing } from './may-be-missing.decorator.js';

/** Query parameters of every paginated list. */
export class PageQuery {
  /** Maximum number of items, 1 to 100. */
  @ApiPropertyOptional()
  @MayBeMissing()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 50;

  /** `nextCursor` of the previous page. */
  @MayBeMissing()
  @IsString()
  @MaxLength(500)
  cursor?: string;
}
