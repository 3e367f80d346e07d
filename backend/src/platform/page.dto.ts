import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/** What every list takes. */
export class PageQuery {
  /** How many items at most, 1 to 100. */
  @ApiPropertyOptional()
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit: number = 50;

  /** `nextCursor` of the page before. */
  @IsOptional()
  @IsString()
  @MaxLength(500)
  cursor?: string;
}
