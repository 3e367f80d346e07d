import { ArrayMaxSize, ArrayUnique, IsArray, IsString, Length } from 'class-validator';

/** Columns of one stream that are not written. */
export class LeftOutColumns {
  @IsString()
  @Length(1, 64)
  stream: string;

  /** Columns that identify rows, verify them or contain their currency cannot be excluded: see `need` in the catalog. */
  @IsArray()
  @ArrayMaxSize(200)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  columns: string[];
}
