import type { Day, DayTotals } from './contract.js';

/** Errors are named by what happens next: each class has exactly one consequence, carried out by `sync/run-sync`. */

export type FailureClass =
  'auth' | 'permission' | 'quota' | 'transient' | 'config' | 'schema' | 'destination' | 'data' | 'internal';

export interface FailureDetail {
  /** Stable, from the connector: `google_ads.user_permission_denied`. */
  code: string;
  /** A sentence for the user; never a raw provider text alone, never a secret. */
  message: string;
  /** The one next action, in words: `Reconnect with Google`. */
  action: string;
  /** What the provider calls the request, for its support. */
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

/** The provider asks for patience, or had a passing fault: the run waits and goes on where it was. */
export class RetryLater extends ConnectorError {
  readonly failureClass: 'quota' | 'transient';
  /** Seconds to wait; null lets the engine back off by itself. */
  readonly retryAfterSeconds: number | null;
  constructor(
    detail: FailureDetail & { retryAfterSeconds?: number | null; failureClass?: 'quota' | 'transient' },
    options?: ErrorOptions,
  ) {
    super(detail, options);
    this.failureClass = detail.failureClass ?? 'transient';
    this.retryAfterSeconds = detail.retryAfterSeconds ?? null;
  }
}

/**
 * The provider is still preparing a report whose id is kept with the slice. Not a fault: the run releases its slot, and continues with
 * the same report later.
 */
export class ReportPending extends ConnectorError {
  readonly failureClass = 'transient';
}

/** The credentials are dead: the app is marked, and everything that uses it says so. */
export class ReconnectNeeded extends ConnectorError {
  readonly failureClass = 'auth';
  /** The provider is at times wrong about this: it is believed once it was said several times, minutes apart. */
  readonly isUnsure: boolean;
  constructor(detail: FailureDetail & { isUnsure?: boolean }, options?: ErrorOptions) {
    super(detail, options);
    this.isUnsure = detail.isUnsure ?? false;
  }
}

/** The provider finds the slice too large: it is halved. */
export class SplitSlice extends ConnectorError {
  readonly failureClass = 'data';
}

/** This account cannot be read, the others can: the run goes on and ends `partial`. */
export class SkipAccount extends ConnectorError {
  readonly failureClass: 'permission' | 'config';
  constructor(detail: FailureDetail & { failureClass?: 'permission' | 'config' }, options?: ErrorOptions) {
    super(detail, options);
    this.failureClass = detail.failureClass ?? 'permission';
  }
}

/** A setting is wrong, at the source or the destination: only the user can mend it. */
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

/** Columns of a stream's table have another type than when they were created. Their old values may be lost even if the type is restored. */
export class ColumnsChanged extends FixSettings {
  readonly stream: string;
  readonly columns: string[];
  constructor(detail: FailureDetail & { stream: string; columns: string[] }, options?: ErrorOptions) {
    super({ ...detail, failureClass: 'schema' }, options);
    this.stream = detail.stream;
    this.columns = detail.columns;
  }
}

/** The stored credentials belong to another host than the settings name. They are not sent until they are entered again. */
export class CredentialsRequired extends FixSettings {
  /** As calls answer it. */
  readonly problemCode = 'destination.credentials_required';
  readonly field = 'credentials';
}

/** Nobody pays any more for what moves data: the run is cancelled, and the missed days come once somebody does. */
export class SubscriptionLapsed extends ConnectorError {
  readonly failureClass = 'config';
}

/** The answer contradicts itself (a truncated page, sums that differ): nothing of it is loaded. Tried again, then failed. */
export class CorruptAnswer extends ConnectorError {
  readonly failureClass = 'data';
}

/**
 * The destination has taken the rows and does not show them yet: these days are neither proved nor wrong. The run ends
 * `unverified`, and the next one reads and verifies them again.
 */
export class NotVerifiedYet extends ConnectorError {
  readonly failureClass = 'destination';
  readonly days: Day[];
  /** What the destination shows so far, by day. */
  readonly shown: DayTotals[];
  constructor(detail: FailureDetail & { days: Day[]; shown: DayTotals[] }, options?: ErrorOptions) {
    super(detail, options);
    this.days = detail.days;
    this.shown = detail.shown;
  }
}

/** Another worker holds the run now: this one stops without a word to the user. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}
