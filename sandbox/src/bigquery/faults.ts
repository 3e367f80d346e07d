import { setTimeout as delay } from 'node:timers/promises';
import type { Fault, FaultDescription, Faults, Occasion } from '../faults.ts';
import type { Exchange } from '../router.ts';
import { accessDenied, BigQueryError, type JobError } from './errors.ts';

const where = 'Optional: resource (datasets, tables, jobs, queries, upload), table, projectId';
const whichJob = 'Optional: resource (load or query), table';

export const bigQueryFaults: Record<string, FaultDescription> = {
  down: { what: `503 backendError for everything. ${where}; endpoint token` },
  server_error: { what: `500 internalError. ${where}; endpoint token` },
  drop_connection: { what: `The connection ends without an answer. ${where}; endpoint token` },
  slow: { what: `Answers come late. Optional: delayMs (default 2000). ${where}; endpoint token` },
  rate_limit: { what: `403 rateLimitExceeded. Optional: status (429). ${where}` },
  quota_exceeded: { what: `403 quotaExceeded: a quota of the day is used up. ${where}` },
  access_denied: { what: `403 accessDenied: a role was removed. ${where}` },
  expire_token: { what: 'Access tokens issued so far answer 401. Optional: user (the address of the account)' },
  delete_account: {
    what: 'The service account is deleted: it gets no tokens, and those issued so far answer 401. Optional: user (the address of the account)',
  },
  billing_not_enabled: {
    what: 'The project has lost its billing account: queries that change rows are rejected. Optional: projectId',
  },
  job_fails: {
    what: `The job ends with an error. Optional: reason (default backendError), message. ${whichJob}`,
  },
  job_never_finishes: { what: `The job stays RUNNING until it is canceled and does nothing. ${whichJob}` },
  slow_job: {
    what: `CREATE OR REPLACE TABLE reads at once and changes the table late. Optional: delayMs (default 2000). ${whichJob}`,
  },
  cancel_too_late: {
    what: 'A cancellation is answered, but the job continues and can succeed. Optional: resource (load or query)',
  },
  fails_after_applying: { what: `The job is accepted and executed, but the answer is 503. ${whichJob}` },
  drop_rows: { what: 'A load job reports every row and loses some. Optional: everyNth (default 20), table' },
  column_name_reserved: {
    what: 'Adding a column fails: its name is reserved by a column deleted within the time travel. Optional: table',
  },
  empty_column: { what: 'A load job empties a column of every row. Required: column. Optional: table' },
  concurrent_update: { what: 'A transaction is aborted because of another one on the same table' },
  partial_upload: { what: 'The upload keeps only the first half of a chunk, as its Range shows' },
  lose_upload: { what: 'The session of a resumable upload has expired: 410' },
};

const provider = 'bigquery';

export class BigQueryFaults {
  readonly faults: Faults;

  constructor(faults: Faults) {
    this.faults = faults;
  }

  strike(name: string, occasion: Occasion, exchange?: Exchange): Fault | undefined {
    const fault = this.faults.strike(provider, name, occasion);
    if (fault && exchange) exchange.log.fault = fault.fault;
    return fault;
  }

  /** Faults applied before the request is read. False: the connection is closed. */
  async strikeEarly(exchange: Exchange, occasion: Occasion): Promise<boolean> {
    const slow = this.strike('slow', occasion, exchange);
    if (slow) await delay(numberOf(slow, 'delayMs', 2_000));
    if (this.strike('drop_connection', occasion, exchange)) {
      exchange.response.destroy();
      return false;
    }
    if (this.strike('down', occasion, exchange)) throw unavailable();
    if (this.strike('server_error', occasion, exchange))
      throw new BigQueryError(500, 'internalError', 'An internal error occurred and the request could not be completed.');
    return true;
  }

  /** Permission and quota faults. */
  strikeAccess(exchange: Exchange, occasion: Occasion): void {
    const limit = this.strike('rate_limit', occasion, exchange);
    if (limit) throw new BigQueryError(numberOf(limit, 'status', 403), 'rateLimitExceeded', rateLimited);
    if (this.strike('quota_exceeded', occasion, exchange)) throw new BigQueryError(403, 'quotaExceeded', quotaExceeded);
    if (this.strike('access_denied', occasion, exchange))
      throw accessDenied(`Project ${occasion.projectId ?? ''}: User does not have permission to do this.`);
  }

  /** The error that ends a job, or null. */
  jobError(occasion: Occasion): JobError | null {
    const fault = this.strike('job_fails', occasion);
    if (!fault) return null;
    const { reason = 'backendError', message = 'Error encountered during execution. Retrying may solve the problem.' } =
      fault.parameters;
    return { reason: String(reason), message: String(message) };
  }

  /** Whether a token fault affects a token issued at that moment; in milliseconds with a fraction. */
  findForToken(name: 'expire_token' | 'delete_account', user: string, issuedAt: number): boolean {
    return this.faults.findForToken(provider, name, user, issuedAt) !== undefined;
  }
}

export function unavailable(): BigQueryError {
  return new BigQueryError(503, 'backendError', 'The service is currently unavailable.');
}

export function numberOf(fault: Fault, name: string, otherwise: number): number {
  const value = fault.parameters[name];
  return typeof value === 'number' ? value : otherwise;
}

const rateLimited =
  'Exceeded rate limits: too many api requests per user per method for this user_method. For more information, see https://cloud.google.com/bigquery/docs/troubleshoot-quotas';
export const quotaExceeded =
  'Quota exceeded: Your table exceeded quota for imports or query appends per table. For more information, see https://cloud.google.com/bigquery/docs/troubleshoot-quotas';
