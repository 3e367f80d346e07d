import {
  CorruptAnswer,
  FixSettings,
  LeaseLost,
  ReconnectNeeded,
  RetryLater,
  SplitSlice,
  type FailureClass,
} from '../kit/errors.js';
import { HTTP_TIMEOUT } from '../kit/http.js';
import { quoteText } from '../kit/quote-text.js';
import { BigQueryFailure } from './failure.js';
import { LEASE_LOST, ROWS_LOST, SWAP_ENDED, TABLE_REPLACED } from './markers.js';
import type { DestinationSettings } from './settings.js';

type Where = Pick<DestinationSettings, 'projectId' | 'datasetId'>;

interface ErrorMeaning {
  kind: 'retry' | 'wait' | 'reconnect' | 'split' | Extract<FailureClass, 'config' | 'permission' | 'schema' | 'destination'>;
  message(where: Where): string;
  action: string;
  retryAfterSeconds?: number;
}

const itself = 'No action needed: Tributary retries automatically';
const askOperator = 'Contact the operator of this installation';
const passing = (message: string): ErrorMeaning => ({ kind: 'retry', message: () => message, action: itself });
const meaning = (kind: ErrorMeaning['kind'], message: ErrorMeaning['message'], action: string): ErrorMeaning => ({
  kind,
  message,
  action,
});

/** Daily quotas refill over a rolling day, so an hourly retry is enough. */
const QUOTA_WAIT_SECONDS = 3_600;

const ourMistake = meaning('config', () => 'BigQuery rejected a request. This is a bug in Tributary.', askOperator);
const pause: ErrorMeaning = meaning('wait', () => 'BigQuery throttles requests.', itself);
const noRight = meaning(
  'permission',
  ({ projectId, datasetId }) => `The account lacks a BigQuery permission for "${projectId}" or its dataset "${datasetId}".`,
  'Give the account the roles BigQuery Data Editor on the dataset and BigQuery Job User on the project',
);
const changedTable = meaning(
  'schema',
  ({ datasetId }) => `A table in "${datasetId}" was changed and can no longer be loaded.`,
  'Undo the change, or choose another table prefix',
);
const gone = meaning(
  'schema',
  ({ projectId, datasetId }) => `The project "${projectId}", the dataset "${datasetId}" or one of its tables does not exist.`,
  'Correct the names, or run the connection again to recreate deleted tables',
);
const tooLarge = meaning('split', () => 'The data is too large for one BigQuery job.', itself);
const dead = meaning('reconnect', () => 'Access to BigQuery has expired or was revoked.', 'Reconnect BigQuery');

/**
 * BigQuery's error reasons, and those of the token endpoint with the prefix `token.`. Source:
 * cloud.google.com/bigquery/docs/error-messages.
 */
export const errorMeanings: Record<string, ErrorMeaning> = {
  accessDenied: noRight,
  insufficientPermissions: noRight,
  forbidden: noRight,
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: meaning(
    'reconnect',
    () => 'Access to BigQuery was not granted when the app was connected.',
    'Reconnect BigQuery and select all permissions',
  ),
  authError: dead,
  // VPC Service Controls. The message contains the id with which an administrator finds the violated rule.
  policyViolation: meaning(
    'permission',
    ({ projectId }) => `A security policy of Google Cloud blocks access to "${projectId}".`,
    'Allow this installation in the service perimeter',
  ),
  SERVICE_DISABLED: meaning(
    'destination',
    ({ projectId }) => `The BigQuery API is not enabled in the project "${projectId}".`,
    'Enable the BigQuery API in Google Cloud',
  ),
  accessNotConfigured: meaning(
    'destination',
    ({ projectId }) => `The BigQuery API is not enabled in the project "${projectId}".`,
    'Enable the BigQuery API in Google Cloud',
  ),
  backendError: passing('BigQuery had a temporary error.'),
  internalError: passing('BigQuery had an internal error.'),
  jobBackendError: passing('A job failed because of a temporary BigQuery error.'),
  jobInternalError: passing('A job failed because of an internal BigQuery error.'),
  tableUnavailable: passing('A table is temporarily unavailable in BigQuery.'),
  resourceInUse: passing('The dataset is in use by another BigQuery operation.'),
  conditionNotMet: passing('Another client changed the table at the same time.'),
  duplicate: passing('The resource already exists in BigQuery.'),
  concurrentUpdate: passing('Another load or query changed the same table at the same time.'),
  stopped: passing('A job was canceled in BigQuery.'),
  timeout: passing('BigQuery took too long.'),
  jobNeverFinished: passing('A BigQuery job did not finish in time and was canceled.'),
  uploadLost: passing('BigQuery lost an incomplete upload.'),
  rateLimitExceeded: pause,
  jobRateLimitExceeded: pause,
  quotaExceeded: {
    ...meaning('wait', ({ projectId }) => `The BigQuery quota of "${projectId}" is used up.`, itself),
    retryAfterSeconds: QUOTA_WAIT_SECONDS,
  },
  billingNotEnabled: meaning(
    'destination',
    ({ projectId }) => `The project "${projectId}" has no billing account, so BigQuery does not allow changes to rows.`,
    'Link a billing account to the project in Google Cloud',
  ),
  bytesBilledLimitExceeded: meaning(
    'config',
    () => 'A query would read more data than this destination allows.',
    'Increase the limit per query in the destination settings',
  ),
  blocked: meaning(
    'destination',
    ({ projectId }) => `Google has blocked the project "${projectId}".`,
    'Contact Google Cloud support',
  ),
  notFound: gone,
  invalid: changedTable,
  invalidQuery: changedTable,
  responseTooLarge: tooLarge,
  resourcesExceeded: tooLarge,
  required: ourMistake,
  parseError: ourMistake,
  notImplemented: ourMistake,
  keyUnreadable: meaning(
    'reconnect',
    () => 'The private key of the service account is invalid.',
    'Download a new key from Google Cloud and enter the complete file',
  ),
  tokenUriRefused: meaning(
    'config',
    () => 'The token address in the key file does not belong to Google. Nothing was sent to it.',
    'Enter the unchanged key file from Google Cloud',
  ),
  'token.signature': meaning(
    'reconnect',
    () => 'Google rejected the service account key. It was deleted or replaced.',
    'Create a new key in Google Cloud and enter it',
  ),
  'token.account_not_found': meaning(
    'reconnect',
    () => 'The service account no longer exists.',
    'Enter the key of another service account',
  ),
  'token.clock': meaning(
    'config',
    () => 'The clock of this installation is wrong, so Google rejects its signatures.',
    `${askOperator} and ask to correct the clock`,
  ),
  'token.refused': dead,
};

/** Reasons for which BigQuery's own message is shown, with limited length. */
const quotedReasons = new Set(['invalid', 'invalidQuery', 'policyViolation']);

/** By HTTP status, for answers without a known reason. */
export const statusMeanings: Record<number, ErrorMeaning> = {
  400: ourMistake,
  401: dead,
  403: noRight,
  404: gone,
  408: passing('BigQuery took too long.'),
  429: pause,
  501: ourMistake,
};

/** Translates a BigQuery failure for the user. Our own errors and those of the source pass unchanged. */
export function toDestinationError(error: unknown, where: Where): unknown {
  if (!(error instanceof BigQueryFailure)) return error;
  const options = { cause: error };
  if (error.message.includes(LEASE_LOST)) return new LeaseLost('another worker owns the run', options);
  if (error.message.includes(ROWS_LOST)) return rowsLost(options);
  if (error.message.includes(TABLE_REPLACED)) return tableReplaced(options);
  if (error.message.includes(SWAP_ENDED)) return swapEnded(options);
  const { kind, message, action, retryAfterSeconds } = findMeaning(error);
  // For a table that the user changed, BigQuery's message names the column; for a security policy, the id of the violation.
  const text =
    quotedReasons.has(error.reason) && error.message !== ''
      ? `${message(where)} BigQuery: ${quoteText(error.message)}.`
      : message(where);
  const detail = { code: codeOf(error), message: text, action, providerRequestId: error.requestId };
  switch (kind) {
    case 'reconnect':
      return new ReconnectNeeded(detail, options);
    case 'split':
      return new SplitSlice(detail, options);
    case 'retry':
    case 'wait': {
      const failureClass = kind === 'wait' ? 'quota' : 'transient';
      return new RetryLater(
        { ...detail, failureClass, retryAfterSeconds: error.retryAfterSeconds ?? retryAfterSeconds ?? null },
        options,
      );
    }
    default:
      return new FixSettings({ ...detail, failureClass: kind }, options);
  }
}

/** Whether an immediate retry may succeed. It does not for daily quotas. */
export function isTransient(error: unknown): boolean {
  if (error instanceof BigQueryFailure) return findMeaning(error).kind === 'retry' || findMeaning(error) === pause;
  // After a timeout the server may be down, so further attempts would only occupy the run's slot.
  return error instanceof RetryLater && error.code !== HTTP_TIMEOUT;
}

export function rowsLost(options?: ErrorOptions): CorruptAnswer {
  const message = 'BigQuery received fewer rows than were sent. The table was not changed.';
  return new CorruptAnswer({ code: 'bigquery.rows_lost', message, action: itself }, options);
}

/** The swap of a re-sync reads the table once and takes seconds to minutes. */
const SWAP_WAIT_SECONDS = 15;

const tableReplaced = (options: ErrorOptions): RetryLater =>
  new RetryLater(
    {
      code: 'bigquery.table_replaced',
      message: 'A re-sync is replacing the table.',
      action: itself,
      failureClass: 'transient',
      retryAfterSeconds: SWAP_WAIT_SECONDS,
    },
    options,
  );

export const swapEnded = (options: ErrorOptions): RetryLater =>
  new RetryLater(
    {
      code: 'bigquery.swap_ended',
      message: 'The swap of the tables was ended before it was complete. The table was not changed.',
      action: itself,
      failureClass: 'transient',
    },
    options,
  );

/** Used in the check, where each step has its own required role. */
export function isDenied(error: unknown): boolean {
  return error instanceof BigQueryFailure && findMeaning(error) === noRight;
}

function findMeaning({ reason, status }: BigQueryFailure): ErrorMeaning {
  const known = errorMeanings[reason] ?? statusMeanings[status];
  if (known) return known;
  return passing(status >= 500 ? 'BigQuery had a temporary error.' : 'BigQuery returned an unknown error.');
}

function codeOf({ reason, status }: BigQueryFailure): string {
  if (reason === '') return `bigquery.http_${status}`;
  const words = reason.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return `bigquery.${words.toLowerCase()}`;
}
