import { ArrayMaxSize, ArrayUnique, IsArray, IsString, Length } from 'class-validator';

/** Columns of one stream that are not written. */
export class ExcludedColumnsBody {
  @IsString()
  @Length(1, 64)
  stream: string;

  /** Never those that tell rows apart, prove them, or say what money is counted in: see `need` in the catalog. */
  @IsArray()
  @ArrayMaxSize(200)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  columns: string[];
}
