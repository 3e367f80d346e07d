import { Transform } from 'class-transformer';
import { IsString, IsUUID, Length } from 'class-validator';
import { MayBeMissing } from '../core/http/may-be-missing.decorator.js';

const trimmed = Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

export class CloneConnectionBody {
  /** Name of the copy, 1 to 120 characters. */
  @trimmed
  @IsString()
  @Length(1, 120)
  name: string;

  /** The destination of the copy, which defines its tables. If omitted, the copy writes the tables of the original. */
  @MayBeMissing()
  @IsUUID()
  destinationId?: string;
}
