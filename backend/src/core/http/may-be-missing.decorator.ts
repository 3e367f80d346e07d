import { ValidateIf } from 'class-validator';

/** The field is optional. Unlike `IsOptional`, null is still validated, so that it cannot reach columns that are not nullable. */
export const MayBeMissing = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);
