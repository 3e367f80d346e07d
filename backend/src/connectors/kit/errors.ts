import type { Day, DayTotals } from './contract.js';

/** Each error class has exactly one consequence, which `sync/run-sync` carries out. The class is named after it. */

export type FailureClass =
  | 'auth'
  | 'permission'
  | 'quota'
  | 'transient'
  | 'config'
  | 'schema'
  | 'destination'
  | 'data'
  | 'internal';

export interface FailureDetail {
  /** Stable code from the connector: `google_ads.user_permission_denied`. */
  code: string;
  /** A sentence for the user. Never only a raw provider text, never a secret. */
  message: string;
  /** The one next action: `Reconnect with Google`. */
  action: string;
  /** The provider's id of the request, for its support. */
  providerRequestId?: string | null;
}

export abstract class ConnectorError extends Error {
  abstract readonly failureClass: FailureClass;
  readonly code: string;
  readonly action: string;
  readonly providerRequestId: string | null;

  constructor(detail: FailureDetail, options?: ErrorOptions) {
    super(detail.message, options);
    this.name = new.target.name;
    this.code = detail.code;
    this.action = detail.action;
    this.providerRequestId = detail.providerRequestId ?? null;
  }
}

/** The provider throttles or has a transient fault. The run waits, then resumes. */
export class RetryLater extends ConnectorError {
  readonly failureClass: 'quota' | 'transient';
  /** Seconds to wait; null: the engine uses its own backoff. */
  readonly retryAfterSeconds: number | null;
  /** What a used-up quota belongs to: everything that the app reads or writes, or only one ad account. */
  readonly quotaOf: 'app' | 'account';
  constructor(
    detail: FailureDetail & {
      retryAfterSeconds?: number | null;
      failureClass?: 'quota' | 'transient';
      quotaOf?: 'app' | 'account';
    },
    options?: ErrorOptions,
  ) {
    super(detail, options);
    this.failureClass = detail.failureClass ?? 'transient';
    this.retryAfterSeconds = detail.retryAfterSeconds ?? null;
    this.quotaOf = detail.quotaOf ?? 'app';
  }
}

/**
 * The provider is still preparing a report whose id is stored with the slice. Not a fault: the run releases its slot and
 * continues with the same report later.
 */
export class ReportPending extends ConnectorError {
  readonly failureClass = 'transient';
}

/** The credentials are no longer valid. The app is marked as needing reauthentication, and everything that uses it shows this. */
export class ReconnectNeeded extends ConnectorError {
  readonly failureClass = 'auth';
  /** The provider sometimes returns this by mistake. It is accepted only after several errors, minutes apart. */
  readonly isUnsure: boolean;
  constructor(detail: FailureDetail & { isUnsure?: boolean }, options?: ErrorOptions) {
    super(detail, options);
    this.isUnsure = detail.isUnsure ?? false;
  }
}

/** The slice is too large for the provider. It is halved. */
export class SplitSlice extends ConnectorError {
  readonly failureClass = 'data';
}

/** This account cannot be read, but the others can. The run continues and ends `partial`. */
export class SkipAccount extends ConnectorError {
  readonly failureClass: 'permission' | 'config';
  constructor(detail: FailureDetail & { failureClass?: 'permission' | 'config' }, options?: ErrorOptions) {
    super(detail, options);
    this.failureClass = detail.failureClass ?? 'permission';
  }
}

/** A setting of the source or the destination is wrong. Only the user can fix it. */
export class FixSettings extends ConnectorError {
  readonly failureClass: 'config' | 'permission' | 'schema' | 'destination';
  constructor(
    detail: FailureDetail & { failureClass?: 'config' | 'permission' | 'schema' | 'destination' },
    options?: ErrorOptions,
  ) {
    super(detail, options);
    this.failureClass = detail.failureClass ?? 'config';
  }
}

/** A column with the expected type and the type that the table has, both as the destination names them. */
export interface TypeDifference {
  column: string;
  expected: string;
  found: string;
}

/** Columns of a stream's table have another type than at creation. Old values may be lost even if the type is restored. */
export class ColumnsChanged extends FixSettings {
  readonly stream: string;
  readonly differences: TypeDifference[];
  constructor(detail: FailureDetail & { stream: string; differences: TypeDifference[] }, options?: ErrorOptions) {
    super({ ...detail, failureClass: 'schema' }, options);
    this.stream = detail.stream;
    this.differences = detail.differences;
  }
}

/** The stored credentials belong to another host than the settings. They are not sent until the user enters them again. */
export class CredentialsRequired extends FixSettings {
  /** The problem code in API responses. */
  readonly problemCode = 'destination.credentials_required';
  readonly field = 'credentials';
}

/**
 * The organization has no active subscription. The run is canceled; the missed days are loaded after the subscription is renewed.
 */
export class SubscriptionLapsed extends ConnectorError {
  readonly failureClass = 'config';
}

/** The answer is inconsistent (a truncated page, sums that differ). Nothing of it is loaded. The slice is retried, then fails. */
export class CorruptAnswer extends ConnectorError {
  readonly failureClass = 'data';
}

/**
 * The destination permanently rejects single rows. The slice fails, but the destination itself works: other slices and other
 * connections continue.
 */
export class RowRejected extends ConnectorError {
  readonly failureClass = 'data';
}

/**
 * The destination accepted the rows but does not return them yet, so these days are neither verified nor wrong. The run ends
 * `unverified`, and the next run reads and verifies them again.
 */
export class NotVerifiedYet extends ConnectorError {
  readonly failureClass = 'destination';
  readonly days: Day[];
  /** Totals that the destination returns so far, by day. */
  readonly shown: DayTotals[];
  constructor(detail: FailureDetail & { days: Day[]; shown: DayTotals[] }, options?: ErrorOptions) {
    super(detail, options);
    this.days = detail.days;
    this.shown = detail.shown;
  }
}

/** The time limit of a check ended before the check did. This does not mean that a setting is wrong. */
export const checkTimedOut = (serviceName: string): RetryLater =>
  new RetryLater({ code: 'check.timeout', message: `${serviceName} did not finish in time.`, action: 'Check again' });

/** Another worker owns the run now. This one stops silently. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}
