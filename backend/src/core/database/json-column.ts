import type { z } from 'zod';
import type { Prisma } from '../../generated/prisma/client.js';

/** A value as Prisma stores it. Fields that are undefined are left out. */
export const toJson = (value: object): Prisma.InputJsonValue => JSON.parse(JSON.stringify(value)) as Prisma.InputJsonValue;

/**
 * Codec of a JSON column. `read` returns null for a missing value and for another shape, such as one of an older version; `get` is for
 * columns that always have a value of this shape, and throws otherwise.
 */
export const jsonColumn = <Value extends object>(schema: z.ZodType<Value>) => ({
  read: (stored: unknown): Value | null => schema.safeParse(stored).data ?? null,
  get: (stored: unknown): Value => schema.parse(stored),
  write: (value: Value): Prisma.InputJsonValue => toJson(value),
});
