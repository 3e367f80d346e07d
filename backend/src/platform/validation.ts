import { type ValidationError, ValidationPipe } from '@nestjs/common';
import { Problem } from './problem.js';

/** Refuses unknown fields and names each wrong one. */
export const validationPipe = (): ValidationPipe =>
  new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    exceptionFactory: (errors) => {
      const fields = errors.flatMap((error) => flatten(error, ''));
      return new Problem('request.invalid', { detail: fields.map((entry) => entry.message).join('; '), errors: fields });
    },
  });

function flatten(error: ValidationError, prefix: string): { field: string; message: string }[] {
  const field = prefix + error.property;
  const own = Object.values(error.constraints ?? {}).map((message) => ({ field, message }));
  return [...own, ...(error.children ?? []).flatMap((child) => flatten(child, `${field}.`))];
}
