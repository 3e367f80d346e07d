import { FixSettings } from '../../kit/errors.js';
import { quoteText } from '../../kit/quote-text.js';
import { tooSlow } from '../../kit/records/read-meter.js';
import { toDestinationError } from '../errors.js';
import { BigQueryFailure } from '../failure.js';
import type { DestinationSettings } from '../settings.js';

const BYTES_PER_GIB = 2 ** 30;

/** What a failed query refers to. */
export interface QueryPlace {
  destination: DestinationSettings;
  /** A dry run reads no rows, so its messages contain no values of rows. */
  isDryRun: boolean;
  jobTimeoutMs: number;
}

export function toSourceError(error: unknown, { destination, isDryRun, jobTimeoutMs }: QueryPlace): unknown {
  if (!(error instanceof BigQueryFailure)) return error;
  const options = { cause: error };
  switch (error.reason) {
    case 'invalidQuery':
    case 'invalid':
    case 'notFound':
      return new FixSettings(isDryRun ? rejected(error) : failed, options);
    case 'accessDenied':
      return new FixSettings(noPermission(destination), options);
    case 'jobNeverFinished':
      return tooSlow('bigquery', jobTimeoutMs);
    case 'responseTooLarge':
    case 'resourcesExceeded':
      return new FixSettings(tooLarge, options);
    default:
      return toDestinationError(error, destination);
  }
}

const rejected = ({ message }: BigQueryFailure) => ({
  code: 'bigquery.query_rejected',
  message: `BigQuery rejects the query: ${quoteText(message)}.`,
  action: 'Correct the query',
});

const failed = {
  code: 'bigquery.query_failed',
  message: 'The query fails on one of its rows. The text of the error is not shown, because it can contain data.',
  action: 'Run the query in BigQuery, and correct the expression that fails',
};

const noPermission = ({ projectId }: DestinationSettings) => ({
  code: 'bigquery.query_not_allowed',
  message: `The account cannot read a table of the query, or cannot run queries in "${projectId}".`,
  action: 'Give the account the roles BigQuery Data Viewer on the datasets of the query and BigQuery Job User on the project',
  failureClass: 'permission' as const,
});

const tooLarge = {
  code: 'bigquery.query_resources',
  message: 'The query needs more memory than BigQuery allows, usually to sort its rows.',
  action: 'Select fewer rows or columns in the query',
};

export const notSelect = (): FixSettings =>
  new FixSettings({
    code: 'bigquery.query_writes',
    message: 'The query is not a single SELECT statement. It was not run.',
    action: 'Use one SELECT statement that only reads',
  });

export function tooExpensive(bytes: number, { maximumGibPerQuery }: DestinationSettings): FixSettings {
  const size = (bytes / BYTES_PER_GIB).toLocaleString('en-US', { maximumFractionDigits: 1 });
  return new FixSettings({
    code: 'bigquery.query_too_expensive',
    message: `The query would read ${size} GiB. The limit of the destination is ${maximumGibPerQuery} GiB per query. It was not run.`,
    action: 'Read fewer columns or partitions in the query, or increase the limit per query of the destination',
  });
}

export const exceedsLimit = (bytes: number, { maximumGibPerQuery }: DestinationSettings): boolean =>
  bytes > maximumGibPerQuery * BYTES_PER_GIB;
