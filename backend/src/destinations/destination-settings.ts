import type { z } from 'zod';
import type { CredentialKind, DestinationConnector } from '../connectors/kit/connector.js';
import { Problem } from '../core/http/problem.js';

export type Settings = Record<string, unknown>;

export const parseSettings = (connector: DestinationConnector, settings: unknown): Settings =>
  parse(connector.settingsSchema, settings, 'settings');

/** Parses entered secrets and finds their kind: the first of the connector's kinds whose schema accepts them. */
export function parseCredentials(
  connector: DestinationConnector,
  credentials: unknown,
): { kind: CredentialKind & { authMode: 'password' | 'service_account' }; credentials: Settings } {
  const typed = connector.credentialKinds.filter(isTyped);
  const kind = typed.find(({ schema }) => schema?.safeParse(credentials).success) ?? typed[0];
  if (!kind?.schema)
    throw new Problem('request.invalid', `${connector.name} has no credentials to enter. Use a connected app instead.`);
  return { kind, credentials: parse(kind.schema, credentials, 'credentials') };
}

const isTyped = (kind: CredentialKind): kind is CredentialKind & { authMode: 'password' | 'service_account' } =>
  kind.authMode !== 'oauth2';

/** Validates a value against the connector's schema. Errors name the field of the request. */
function parse<Shape>(schema: z.ZodType<Shape>, value: unknown, field: string): Shape {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => ({ field: [field, ...issue.path].join('.'), message: issue.message }));
  throw new Problem('request.invalid', { detail: errors.map((error) => `${error.field}: ${error.message}`).join('; '), errors });
}
