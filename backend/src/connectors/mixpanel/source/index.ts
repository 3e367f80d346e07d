import type { ConversionSource, ConversionSourceConnector } from '../../kit/conversion-source.js';
import { MixpanelApi } from '../api.js';
import { credentialsSchema, type Credentials, type MixpanelSettings, type ProjectSettings, settingsSchema } from '../settings.js';
import { type DayLimits, usualDayLimits } from './day-events.js';
import { ExportReader } from './read.js';
import { type SourceSettings, sourceSettingsSchema } from './settings.js';

/** Mixpanel allows at most 3 exports a second. */
const EXPORT_PAUSE_MS = 350;

export function mixpanelConversionSource(settings: MixpanelSettings): ConversionSourceConnector {
  return {
    provider: 'mixpanel',
    name: 'Mixpanel',
    settingsSchema: sourceSettingsSchema,
    defaultFields: { id: 'properties.$insert_id', occurredAt: 'properties.time' },
    open: (given, place, access) => {
      if (access.authMode === 'oauth2') throw new Error('Mixpanel is opened with a service account');
      const credentials = credentialsSchema.parse(access.credentials);
      return mixpanelSource(settings, sourceSettingsSchema.parse(given), settingsSchema.parse(place), credentials);
    },
  };
}

/** `limits` are for tests, which use smaller ones. */
export function mixpanelSource(
  operator: MixpanelSettings,
  settings: SourceSettings,
  project: ProjectSettings,
  credentials: Credentials,
  limits: DayLimits = usualDayLimits,
): ConversionSource {
  const api = new MixpanelApi(operator, project, credentials);
  const pauseMs = operator.exportPauseMs ?? EXPORT_PAUSE_MS;
  const reader = new ExportReader({ api, settings, now: () => operator.now(), pauseMs, limits });
  return {
    sample: (context, limit) => reader.sample(context, limit),
    read: (context, cursor, since) => reader.read(context, cursor, since),
    close: () => Promise.resolve(),
  };
}
