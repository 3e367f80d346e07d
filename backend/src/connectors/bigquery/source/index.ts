import type { AccessTokenProvider } from '../../kit/contract.js';
import type { ConversionSource, ConversionSourceConnector } from '../../kit/conversion-source.js';
import { type ReadLimits, usualReadLimits } from '../../kit/records/read-meter.js';
import { querySettingsSchema, type QuerySettings } from '../../kit/records/query-settings.js';
import { BigQueryApi } from '../api.js';
import { Jobs } from '../jobs.js';
import { ServiceAccount } from '../service-account.js';
import { type BigQuerySettings, credentialsSchema, type DestinationSettings, settingsSchema } from '../settings.js';
import { QueryReader } from './read.js';

export function bigqueryConversionSource(operator: BigQuerySettings): ConversionSourceConnector {
  return {
    provider: 'bigquery',
    name: 'BigQuery',
    settingsSchema: querySettingsSchema,
    defaultFields: { id: null, occurredAt: null },
    open: (given, place, access) => {
      const settings = querySettingsSchema.parse(given);
      const project = settingsSchema.parse(place);
      if (access.authMode === 'oauth2') return bigquerySource(operator, settings, project, access.accessToken);
      const { serviceAccountKey } = credentialsSchema.parse(access.credentials);
      return bigquerySource(operator, settings, project, new ServiceAccount(operator, project, serviceAccountKey));
    },
  };
}

/** `limits` are for tests, which use smaller ones. */
export function bigquerySource(
  operator: BigQuerySettings,
  settings: QuerySettings,
  project: DestinationSettings,
  tokens: AccessTokenProvider,
  limits: ReadLimits = usualReadLimits,
): ConversionSource {
  const jobs = new Jobs(new BigQueryApi(operator, project, tokens));
  const reader = new QueryReader({ jobs, settings, now: () => operator.now(), limits });
  return {
    sample: (context, limit) => reader.sample(context, limit),
    read: (context, cursor, since) => reader.read(context, cursor, since),
    close: () => Promise.resolve(),
  };
}
