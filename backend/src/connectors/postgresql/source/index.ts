import type { ConversionSource, ConversionSourceConnector } from '../../kit/conversion-source.js';
import type { EgressPolicy } from '../../kit/egress.js';
import { usualReadLimits } from '../../kit/records/read-meter.js';
import { querySettingsSchema, type QuerySettings } from '../../kit/records/query-settings.js';
import { Database } from '../connection/connection.js';
import { credentialsSchema, settingsSchema, type PostgresqlSettings } from '../settings.js';
import { QueryReader, type SourceLimits } from './read.js';

/** Waits for the first row are the longest, because a query can sort all rows before it. Half of the time of a read. */
const STATEMENT_MS = 5 * 60_000;
/** A sample is awaited in a form. */
const SAMPLE_MS = 30_000;
const LOCK_MS = 10_000;
/** Longer than the engine needs to store a page; short for the user's database, which keeps old row versions until then. */
const IDLE_MS = 2 * 60_000;
/** The rows of one fetch are in memory. */
const ANSWER_BYTES = 16 * 1024 * 1024;
/** Longer than the server's own limit for a statement. */
const ANSWER_MARGIN_MS = 30_000;

export const usualSourceLimits: SourceLimits = {
  ...usualReadLimits,
  statementMs: STATEMENT_MS,
  lockMs: LOCK_MS,
  idleMs: IDLE_MS,
  answerBytes: ANSWER_BYTES,
};

export function postgresqlConversionSource(egress: EgressPolicy): ConversionSourceConnector {
  return {
    provider: 'postgresql',
    name: 'PostgreSQL',
    settingsSchema: querySettingsSchema,
    defaultFields: { id: null, occurredAt: null },
    open: (settings, place, access) => {
      if (access.authMode === 'oauth2') throw new Error('PostgreSQL is opened with a password');
      const server = { ...settingsSchema.parse(place), ...credentialsSchema.parse(access.credentials) };
      return postgresqlSource(querySettingsSchema.parse(settings), server, egress);
    },
  };
}

/** `limits` are for tests, which use smaller ones. */
export function postgresqlSource(
  settings: QuerySettings,
  server: PostgresqlSettings,
  egress: EgressPolicy,
  limits: SourceLimits = usualSourceLimits,
): ConversionSource {
  const { statementMs, lockMs, idleMs, answerBytes } = limits;
  const answerMs = statementMs + ANSWER_MARGIN_MS;
  const unused = { tableLockMs: lockMs, completionMs: statementMs };
  const database = new Database(server, egress, { ...unused, lockMs, statementMs, idleMs, answerMs, answerBytes });
  const sampleMs = Math.min(SAMPLE_MS, statementMs);
  const reader = new QueryReader(database, settings, limits);
  const sampler = new QueryReader(database, settings, { ...limits, statementMs: sampleMs, milliseconds: sampleMs });
  return {
    sample: (context, limit) => sampler.sample(context, limit),
    read: (context, cursor, since) => reader.read(context, cursor, since),
    close: () => database.close(),
  };
}
