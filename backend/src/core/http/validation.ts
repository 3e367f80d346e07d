import { type ArgumentMetadata, type ValidationError, ValidationPipe } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Problem } from './problem.js';
import { assertStorable } from './storable.js';
import { keepValidationMetadata } from './validation-metadata.js';

/** Runs before all code that reads a body or a query: guards, idempotency and field validation. */
export function storableOnly(request: Request, _response: Response, next: NextFunction): void {
  assertStorable(request.body, '');
  assertStorable(request.query, '');
  next();
}

/** Path parameters are known only after routing. */
class PathAwareValidationPipe extends ValidationPipe {
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'param') assertStorable(value, metadata.data ?? '');
    return super.transform(value, metadata) as Promise<unknown>;
  }
}

/** Maximum number of reported fields. */
const MAX_ERRORS = 50;
/** Names of unknown fields come from the request and can be as long as its body. */
const MAX_CHARACTERS = 300;

/** Rejects unknown fields and reports each invalid field. */
export function validationPipe(): ValidationPipe {
  keepValidationMetadata();
  return new PathAwareValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    exceptionFactory: (errors) => {
      const fields = errors.flatMap((error) => flatten(error, '')).slice(0, MAX_ERRORS);
      return new Problem('request.invalid', { detail: fields.map((entry) => entry.message).join('; '), errors: fields });
    },
  });
}

/** Constraints that say what a value is. The others, such as `min`, only make sense for a value of that type. */
const TYPES = ['isArray', 'isObject', 'isInt', 'isNumber', 'isBoolean', 'isString'];

function flatten(error: ValidationError, prefix: string): { field: string; message: string }[] {
  const field = prefix + error.property;
  const own = messagesOf(error).map((message) => ({
    field: field.slice(0, MAX_CHARACTERS),
    message: message.slice(0, MAX_CHARACTERS),
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => flatten(child, `${field}.`))];
}

/**
 * One message for a value that is missing, unknown or of another type: all constraints of its field fail then. A field without one of
 * `TYPES`, such as one with only a length, reports all of them.
 */
function messagesOf({ property, value, constraints = {} }: ValidationError): string[] {
  if (Object.keys(constraints).length === 0) return [];
  if ('whitelistValidation' in constraints) return [`${property} is not a field of this request`];
  if (value === undefined) return [constraints['isIn'] ?? `${property} is missing`];
  const wrongType = TYPES.map((type) => constraints[type]).find((message) => message !== undefined);
  return wrongType === undefined ? Object.values(constraints) : [wrongType];
}
