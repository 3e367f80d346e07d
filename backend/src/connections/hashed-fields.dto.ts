import { ArrayMaxSize, ArrayUnique, IsArray, IsString, Length } from 'class-validator';

/** Columns of one stream that are stored as SHA-256 hashes. */
export class HashedFields {
  @IsString()
  @Length(1, 64)
  stream: string;

  /** Text columns. Columns that identify rows or contain their currency cannot be hashed. */
  @IsArray()
  @ArrayMaxSize(200)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  columns: string[];
}
