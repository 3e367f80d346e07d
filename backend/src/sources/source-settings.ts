import type { z } from 'zod';
import type { SourceDescription, SourceSettings } from '../connectors/kit/connector.js';
import { breakdownsOf, readSelection, type SourceSelection } from '../connectors/kit/source-selection.js';
import { Problem } from '../core/http/problem.js';
import type { SourceSettingsBody } from './sources.dto.js';

/** Validates the settings against the connector's schema. Errors name the field of the request. */
export function parseSourceSettings(connector: SourceDescription, body: SourceSettingsBody): SourceSelection {
  const unknown = (body.breakdowns ?? []).filter((name) => !breakdownsOf(connector.streams).includes(name));
  const errors = unknown.map((name) => ({ field: 'settings.breakdowns', message: `${connector.name} has no breakdown ${name}` }));
  if (errors.length > 0) throw invalid(errors);
  return { ...readSelection(connector.streams, body), options: parseOptions(connector.settingsSchema, body.options) };
}

/** Fills settings that a new source omits with the app's defaults. Skips breakdowns that the platform no longer has. */
export function withDefaults(connector: SourceDescription, body: SourceSettingsBody, stored: unknown): SourceSettingsBody {
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
    const errors = Object.keys(options).map((name) => ({ field: `settings.options.${name}`, message: 'is unknown' }));
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
