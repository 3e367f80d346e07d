/** What went wrong, and the one thing to do about it. */
export class Failure {
  /** What kind of trouble it is: auth, permission, quota, transient, config, schema, destination, data or internal. */
  class: string;
  /** Stable code, e.g. `google_ads.user_permission_denied`. */
  code: string;
  /** A sentence for people. */
  message: string;
  /** The one next action, in words. */
  action: string;
  /** What the provider calls the request, for its support. */
  providerRequestId: string | null;
}

/** One ad account as its provider describes it. */
export class AdAccountEntry {
  /** The provider's id. */
  externalId: string;
  name: string;
  /** ISO 4217; every amount of the account is in it. */
  currency: string;
  /** IANA name; the account's days begin and end there. */
  timeZone: string;
  /** The manager through which it is reached. */
  managerId: string | null;
  /** That manager's name. */
  managerName: string | null;
  status: 'enabled' | 'disabled' | 'closed';
  /** Why the account cannot be read although it is listed; left out for all others. */
  problem?: string;
}

/** One line of an itemised check. */
export class CheckEntry {
  /** Stable name of the check. */
  code: string;
  label: string;
  state: 'passed' | 'failed' | 'skipped';
  /** What was found. */
  detail: string | null;
  /** The one thing to do about a failed item, or about a warning. */
  action: string | null;
  /** Passed, with a risk that `detail` names; left out otherwise. */
  isWarning?: boolean;
  durationMs: number;
}
