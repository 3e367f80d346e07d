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
import { LEASE_LOST, ROWS_LOST } from './marks.js';
import type { DestinationSettings } from './settings.js';

type Where = Pick<DestinationSettings, 'projectId' | 'datasetId'>;

interface ErrorMeaning {
  kind: 'retry' | 'wait' | 'reconnect' | 'split' | Extract<FailureClass, 'config' | 'permission' | 'schema' | 'destination'>;
  message(where: Where): string;
  action: string;
  retryAfterSeconds?: number;
}

const itself = 'Nothing to do: it is tried again by itself';
const askOperator = 'Tell the operator of this installation';
const passing = (message: string): ErrorMeaning => ({ kind: 'retry', message: () => message, action: itself });
const meaning = (kind: ErrorMeaning['kind'], message: ErrorMeaning['message'], action: string): ErrorMeaning => ({
  kind,
  message,
  action,
});

/** A quota of the day refills over a rolling day: looking again each hour is enough. */
const QUOTA_WAIT_SECONDS = 3_600;

const ourMistake = meaning('config', () => 'BigQuery refused what was asked. This is a mistake of the product.', askOperator);
const pause: ErrorMeaning = meaning('wait', () => 'BigQuery asks for a pause.', itself);
const noRight = meaning(
  'permission',
  ({ projectId, datasetId }) => `The account lacks a right in BigQuery for "${projectId}" or its dataset "${datasetId}".`,
  'Give the account the roles BigQuery Data Editor on the dataset and BigQuery Job User on the project',
);
const changedTable = meaning(
  'schema',
  ({ datasetId }) => `A table in "${datasetId}" was changed so that loading no longer works.`,
  'Undo the change, or choose another table prefix',
);
const gone = meaning(
  'schema',
  ({ projectId, datasetId }) => `The project "${projectId}", the dataset "${datasetId}" or a table in it is not there.`,
  'Correct the names, or run the connection again: what was deleted is made anew',
);
const tooLarge = meaning('split', () => 'BigQuery finds this part of the data too large for one step.', itself);
const dead = meaning('reconnect', () => 'Google no longer accepts the access to BigQuery.', 'Reconnect BigQuery');

/** BigQuery's reasons, and those of the token endpoint after `token.`. Source: cloud.google.com/bigquery/docs/error-messages. */
export const errorMeanings: Record<string, ErrorMeaning> = {
  accessDenied: noRight,
  insufficientPermissions: noRight,
  forbidden: noRight,
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: meaning(
    'reconnect',
    () => 'The right to use BigQuery was not ticked when the app was connected.',
    'Reconnect BigQuery, and leave every box ticked',
  ),
  authError: dead,
  SERVICE_DISABLED: meaning(
    'destination',
    ({ projectId }) => `The BigQuery API is not switched on in the project "${projectId}".`,
    'Switch on the BigQuery API in Google Cloud',
  ),
  accessNotConfigured: meaning(
    'destination',
    ({ projectId }) => `The BigQuery API is not switched on in the project "${projectId}".`,
    'Switch on the BigQuery API in Google Cloud',
  ),
  backendError: passing('BigQuery had a passing fault.'),
  internalError: passing('BigQuery had a fault of its own.'),
  jobBackendError: passing('A job failed because of a passing fault of BigQuery.'),
  jobInternalError: passing('A job failed because of a fault of BigQuery.'),
  tableUnavailable: passing('BigQuery cannot reach a table just now.'),
  resourceInUse: passing('BigQuery is still working on the same dataset.'),
  conditionNotMet: passing('Somebody changed a table at the same moment.'),
  duplicate: passing('BigQuery knows this already, although it was not there a moment ago.'),
  concurrentUpdate: passing('Another load or query changed the same table at the same moment.'),
  stopped: passing('A job was cancelled in BigQuery.'),
  timeout: passing('BigQuery took too long.'),
  jobNeverFinished: passing('A job in BigQuery did not come to its end, and was cancelled.'),
  uploadLost: passing('BigQuery lost an upload before it was complete.'),
  rateLimitExceeded: pause,
  jobRateLimitExceeded: pause,
  quotaExceeded: {
    ...meaning('wait', ({ projectId }) => `A quota of BigQuery for "${projectId}" is used up for now.`, itself),
    retryAfterSeconds: QUOTA_WAIT_SECONDS,
  },
  billingNotEnabled: meaning(
    'destination',
    ({ projectId }) => `The project "${projectId}" has no billing account, so BigQuery lets nobody change rows in it.`,
    'Link a billing account to the project in Google Cloud',
  ),
  bytesBilledLimitExceeded: meaning(
    'config',
    () => 'A query would have read more than this destination allows.',
    'Raise the gibibytes per query in the settings of the destination',
  ),
  blocked: meaning(
    'destination',
    ({ projectId }) => `Google has blocked the project "${projectId}".`,
    'Ask the support of Google Cloud',
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
    () => 'The private key of the service account cannot be read.',
    'Download a new key from Google Cloud, and enter it whole',
  ),
  tokenUriRefused: meaning(
    'config',
    () => 'The key file names an address for tokens that is not Google’s, so nothing was sent there.',
    'Enter the key file as Google Cloud lets you download it',
  ),
  'token.signature': meaning(
    'reconnect',
    () => 'Google does not accept the key of the service account: it was deleted or replaced.',
    'Make a new key in Google Cloud, and enter it',
  ),
  'token.account_not_found': meaning(
    'reconnect',
    () => 'The service account does not exist any more.',
    'Enter the key of another service account',
  ),
  'token.clock': meaning(
    'config',
    () => 'The clock of this installation is wrong, so Google refuses its signatures.',
    `${askOperator} to correct the clock`,
  ),
  'token.refused': dead,
};

/** Where BigQuery's own words are shown, bounded. */
const quotedReasons = new Set(['invalid', 'invalidQuery']);

/** By HTTP status, where the answer gives no reason that is known. */
export const statusMeanings: Record<number, ErrorMeaning> = {
  400: ourMistake,
  401: dead,
  403: noRight,
  404: gone,
  408: passing('BigQuery took too long.'),
  429: pause,
  501: ourMistake,
};

/** The user's words for what went wrong. Our own errors, and those of the source, pass through as they are. */
export function toDestinationError(error: unknown, where: Where): unknown {
  if (!(error instanceof BigQueryFailure)) return error;
  const options = { cause: error };
  if (error.message.includes(LEASE_LOST)) return new LeaseLost('the run is held by another worker', options);
  if (error.message.includes(ROWS_LOST)) return rowsLost(options);
  const { kind, message, action, retryAfterSeconds } = findMeaning(error);
  // Of a table that its owner has changed, BigQuery names the column.
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

/** Whether the same request may succeed in a moment. A quota of the day does not. */
export function isPassing(error: unknown): boolean {
  if (error instanceof BigQueryFailure) return findMeaning(error).kind === 'retry' || findMeaning(error) === pause;
  // After a timeout the server may be down: no further attempts hold the run's slot.
  return error instanceof RetryLater && error.code !== HTTP_TIMEOUT;
}

export function rowsLost(options?: ErrorOptions): CorruptAnswer {
  const message = 'BigQuery took fewer rows than it was sent. Nothing of them was put into the table.';
  return new CorruptAnswer({ code: 'bigquery.rows_lost', message, action: itself }, options);
}

/** In the check, where the step knows which role it needs. */
export function isDenied(error: unknown): boolean {
  return error instanceof BigQueryFailure && findMeaning(error) === noRight;
}

function findMeaning({ reason, status }: BigQueryFailure): ErrorMeaning {
  const known = errorMeanings[reason] ?? statusMeanings[status];
  if (known) return known;
  return passing(status >= 500 ? 'BigQuery had a passing fault.' : 'BigQuery answered with an error that is not known here.');
}

function codeOf({ reason, status }: BigQueryFailure): string {
  if (reason === '') return `bigquery.http_${status}`;
  const words = reason.replace(/([a-z])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return `bigquery.${words.toLowerCase()}`;
}
