import type { z } from 'zod';
import { postgresql, type PostgresqlSettings } from '../connectors/catalog.js';
import { Problem } from '../platform/problem.js';

export type Settings = z.infer<typeof postgresql.settingsSchema>;

export const parseSettings = (settings: unknown): Settings => parse(postgresql.settingsSchema.strict(), settings, 'settings');

export const parsePassword = (credentials: unknown): string =>
  parse(postgresql.credentialsSchema.strict(), credentials, 'credentials').password;

export const connectorSettings = (settings: Settings, password: string): PostgresqlSettings => ({ ...settings, password });

/** The connector's own schema judges its settings; a wrong one is named as a field of the request. */
function parse<Shape>(schema: z.ZodType<Shape>, value: unknown, field: string): Shape {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => ({ field: [field, ...issue.path].join('.'), message: issue.message }));
  throw new Problem('request.invalid', { detail: errors.map((error) => `${error.field}: ${error.message}`).join('; '), errors });
}
