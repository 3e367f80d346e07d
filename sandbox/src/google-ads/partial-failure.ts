import { GoogleAdsError } from './errors.ts';

const maximumRows = 2_000;
/** Ids below 2^31 are the caller's, those from there on are generated. */
const firstGeneratedJobId = 2 ** 31;

/** The first error of a row: category and code of the Google Ads API. */
export interface RowError {
  category: string;
  code: string;
  /** The field of the row that is wrong; undefined: the whole row. */
  field?: string;
}

export function rowError(category: string, code: string, field?: string): RowError {
  return { category, code, ...(field !== undefined && { field }) };
}

export interface UploadRequest {
  rows: Record<string, unknown>[];
  isValidateOnly: boolean;
  jobId: string;
}

/** Checks what both uploads have in common. Errors here fail the whole request. `category` is that of the upload's own errors. */
export function readUpload(body: Record<string, unknown>, listName: string, category: string, tooMany: string): UploadRequest {
  const rows = body[listName];
  const snakeName = listName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (!Array.isArray(rows) || rows.length === 0)
    throw invalid('requestError', 'REQUIRED_FIELD_MISSING', 'Required field is missing.', snakeName);
  if (body.partialFailure !== true)
    throw invalid(
      'partialFailureError',
      'PARTIAL_FAILURE_MODE_REQUIRED',
      'This method requires the partial failure field to be set to true.',
      'partial_failure',
    );
  if (rows.length > maximumRows)
    throw invalid(category, tooMany, 'Upload fewer than 2001 events in a single request.', snakeName);
  const jobId = body.jobId;
  if (jobId !== undefined && !isJobId(jobId)) throw invalid(category, 'INVALID_JOB_ID', 'The job id is out of range.', 'job_id');
  return {
    rows: rows as Record<string, unknown>[],
    isValidateOnly: body.validateOnly === true,
    jobId: jobId === undefined ? String(firstGeneratedJobId + Math.floor(Math.random() * firstGeneratedJobId)) : String(jobId),
  };
}

function isJobId(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) < firstGeneratedJobId;
}

function invalid(category: string, code: string, message: string, field: string): GoogleAdsError {
  return new GoogleAdsError('invalid', category, code, message, { fieldPath: [field] });
}

/** The answer of both uploads: failed rows have an empty result, and their errors are in `details[0].errors`. */
export function uploadAnswer(
  { isValidateOnly, jobId }: UploadRequest,
  outcomes: (RowError | Record<string, unknown>)[],
  { listName, version, requestId }: { listName: string; version: string; requestId: string },
): Record<string, unknown> {
  const snakeName = listName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const errors = outcomes.flatMap((outcome, index) => (isRowError(outcome) ? [failureOf(outcome, snakeName, index)] : []));
  const first = errors[0];
  const place = `at ${snakeName}[${outcomes.findIndex(isRowError)}]`;
  return {
    ...(first && {
      partialFailureError: {
        code: 3,
        message:
          errors.length > 1
            ? `Multiple errors in ‘details’. First error: ${first.message}, ${place}`
            : `${first.message}, ${place}`,
        details: [{ '@type': `type.googleapis.com/google.ads.googleads.${version}.errors.GoogleAdsFailure`, errors, requestId }],
      },
    }),
    ...(!isValidateOnly && { results: outcomes.map((outcome) => (isRowError(outcome) ? {} : outcome)) }),
    jobId,
  };
}

export function isRowError(outcome: RowError | Record<string, unknown>): outcome is RowError {
  return 'category' in outcome && 'code' in outcome;
}

interface Failure extends Record<string, unknown> {
  message: string;
}

function failureOf({ category, code, field }: RowError, listName: string, index: number): Failure {
  const fieldPathElements = [{ fieldName: listName, index }, ...(field ? [{ fieldName: field }] : [])];
  return {
    errorCode: { [category]: code },
    message: `${code.charAt(0)}${code.slice(1).toLowerCase().replaceAll('_', ' ')}.`,
    location: { fieldPathElements },
  };
}
