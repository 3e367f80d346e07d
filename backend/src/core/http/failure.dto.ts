/** The cause of a failure and the action that resolves it. */
export class Failure {
  /** Kind of the failure: auth, permission, quota, transient, config, schema, destination, data or internal. */
  class: string;
  /** Stable code, e.g. `google_ads.user_permission_denied`. */
  code: string;
  /** The cause, as a sentence for people. */
  message: string;
  /** The action that resolves the failure. */
  action: string;
  /** The provider's id of the request, for the provider's support. */
  providerRequestId: string | null;
}

/** An ad account as its provider describes it. */
export class AdAccountEntry {
  /** The provider's id. */
  externalId: string;
  name: string;
  /** Currency of all amounts of the account, ISO 4217. */
  currency: string;
  /** Time zone of the account's days, as an IANA name. */
  timeZone: string;
  /** Id of the manager account that gives access to the account. */
  managerId: string | null;
  /** Name of the manager account. */
  managerName: string | null;
  status: 'enabled' | 'disabled' | 'closed';
  /** Why a listed account cannot be read; absent for readable accounts. */
  problem?: string;
}

/** One item of a check. */
export class CheckEntry {
  /** Stable name of the check. */
  code: string;
  label: string;
  state: 'passed' | 'failed' | 'skipped';
  /** Result of the item. */
  detail: string | null;
  /** The action for a failed item or a warning. */
  action: string | null;
  /** True for a passed item with a risk, which `detail` names; absent otherwise. */
  isWarning?: boolean;
  durationMs: number;
}
