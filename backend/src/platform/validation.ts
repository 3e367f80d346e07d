import { type ArgumentMetadata, type ValidationError, ValidationPipe } from '@nestjs/common';
import { Problem } from './problem.js';

/** PostgreSQL's texts hold no null character: it is refused wherever a text can stand, before any rule of a field. */
class TextAwareValidationPipe extends ValidationPipe {
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'custom') assertNoNullCharacter(value, metadata.data ?? '');
    return super.transform(value, metadata) as Promise<unknown>;
  }
}

function assertNoNullCharacter(value: unknown, field: string): void {
  if (typeof value === 'string' && value.includes('\0')) {
    const message = `${field} must not contain a null character`;
    throw new Problem('request.invalid', { detail: message, errors: [{ field, message }] });
  }
  if (value === null || typeof value !== 'object') return;
  for (const [name, inner] of Object.entries(value)) {
    assertNoNullCharacter(name, field || 'body');
    assertNoNullCharacter(inner, field ? `${field}.${name}` : name);
  }
}

/** Refuses unknown fields and names each wrong one. */
export const validationPipe = (): ValidationPipe =>
  new TextAwareValidationPipe({
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
