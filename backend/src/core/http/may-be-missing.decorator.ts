import { ValidateIf } from 'class-validator';

/** The field may be left out. Unlike `IsOptional`, which lets null pass every other rule, and on into columns that hold none. */
export const MayBeMissing = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);
