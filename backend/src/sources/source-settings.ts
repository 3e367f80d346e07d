import type { z } from 'zod';
import type { SourceConnector, SourceSettings } from '../connectors/kit/connector.js';
import { breakdownsOf, readSelection, type SourceSelection } from '../connectors/kit/source-selection.js';
import { Problem } from '../core/http/problem.js';
import type { SourceSettingsBody } from './sources.dto.js';

/** Checks what a user sends by the connector's own schema; a wrong field is named as one of the request. */
export function parseSourceSettings(connector: SourceConnector, body: SourceSettingsBody): SourceSelection {
  const unknown = (body.breakdowns ?? []).filter((name) => !breakdownsOf(connector.streams).includes(name));
  const errors = unknown.map((name) => ({ field: 'settings.breakdowns', message: `${connector.name} has no breakdown ${name}` }));
  if (errors.length > 0) throw invalid(errors);
  return { ...readSelection(connector.streams, body), options: parseOptions(connector.settingsSchema, body.options) };
}

/** What a new source leaves out is as its app says, where it does; breakdowns that the platform has lost meanwhile are passed over. */
export function withDefaults(connector: SourceConnector, body: SourceSettingsBody, stored: unknown): SourceSettingsBody {
  const defaults = stored as Partial<SourceSelection> | null;
  const known = breakdownsOf(connector.streams);
  return {
    level: body.level ?? defaults?.level,
    breakdowns: body.breakdowns ?? defaults?.breakdowns?.filter((name) => known.includes(name)),
    lookbackDays: body.lookbackDays === undefined ? defaults?.lookbackDays : body.lookbackDays,
    options: body.options,
  };
}

function parseOptions(schema: z.ZodType<SourceSettings> | null, options: SourceSettings = {}): SourceSettings {
  if (!schema) {
    const errors = Object.keys(options).map((name) => ({ field: `settings.options.${name}`, message: 'is not known' }));
    if (errors.length > 0) throw invalid(errors);
    return {};
  }
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  throw invalid(parsed.error.issues.map(({ path, message }) => ({ field: ['settings.options', ...path].join('.'), message })));
}

function invalid(errors: { field: string; message: string }[]): Problem {
  return new Problem('request.invalid', {
    detail: errors.map(({ field, message }) => `${field}: ${message}`).join('; '),
    errors,
  });
}
