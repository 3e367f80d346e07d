import { HttpException } from '@nestjs/common';

/** One entry of the error catalog: the status and title of every response with this code. */
interface ProblemKind {
  status: number;
  title: string;
}

/** The catalog of all error codes. A code is stable: clients branch on it. Texts may change. */
export const PROBLEMS = {
  'request.invalid': { status: 400, title: 'The request is not valid' },
  'request.malformed': { status: 400, title: 'The request could not be read' },
  'request.too_large': { status: 413, title: 'The request is too large' },
  'request.unsupported_encoding': { status: 415, title: 'The encoding of the request is not supported' },
  'auth.missing': { status: 401, title: 'Sign in first' },
  'auth.invalid': { status: 401, title: 'The sign-in is not valid' },
  'auth.expired': { status: 401, title: 'The sign-in has expired' },
  'auth.key_expired': { status: 401, title: 'The API key has expired' },
  'auth.disabled': { status: 401, title: 'This account is disabled' },
  'auth.revoked': { status: 401, title: 'The sign-in was revoked' },
  'auth.email_unverified': { status: 403, title: 'Your e-mail address is not verified' },
  'auth.second_factor_required': { status: 403, title: 'Two-step sign-in is required' },
  'access.not_yours': { status: 403, title: 'You have no access to this resource' },
  'access.role_too_low': { status: 403, title: 'Your role does not allow this' },
  'access.person_needed': { status: 403, title: 'API keys cannot do this' },
  'access.navigation': { status: 403, title: 'Browsers cannot navigate to this address' },
  not_found: { status: 404, title: 'Not found' },
  'conflict.version': { status: 409, title: 'Someone else changed this' },
  'idempotency.in_progress': { status: 409, title: 'A request with this idempotency key is still running' },
  'idempotency.outcome_unknown': { status: 409, title: 'The result of the first request with this idempotency key is unknown' },
  'idempotency.key_reused': { status: 422, title: 'The idempotency key was used for another request' },
  'rate_limit.exceeded': { status: 429, title: 'Too many requests' },
  'events.too_many': { status: 429, title: 'Too many event streams' },
  'user.own_account': { status: 409, title: 'This is your own account' },
  'organization.name_mismatch': { status: 422, title: 'The name does not match' },
  'organization.limit_reached': { status: 409, title: 'You cannot create more organizations' },
  'organization.not_restorable': { status: 409, title: 'The organization cannot be restored' },
  'api_key.limit_reached': { status: 409, title: 'API key limit reached' },
  'member.last_owner': { status: 409, title: 'An organization needs at least one owner' },
  'member.disabled': { status: 409, title: 'The account of the member is disabled' },
  'invitation.already_pending': { status: 409, title: 'Already invited' },
  'invitation.already_member': { status: 409, title: 'Already a member' },
  'invitation.daily_limit': { status: 429, title: 'Too many invitations today' },
  'invitation.not_pending': { status: 409, title: 'The invitation is no longer pending' },
  'invitation.other_email': { status: 403, title: 'The invitation is for another e-mail address' },
  'invitation.unverified_email': { status: 403, title: 'Your e-mail address is not verified' },
  'invitation.expired': { status: 409, title: 'The invitation has expired' },
  'invitation.revoked': { status: 409, title: 'The invitation was revoked' },
  'invitation.rejected': { status: 409, title: 'The invitation was rejected' },
  'invitation.accepted': { status: 409, title: 'The invitation was already used' },
  'configuration.changed': { status: 409, title: 'The configuration has changed since the plan' },
  'configuration.too_large': { status: 409, title: 'The configuration is too large to export' },
  'app.custom_limit': { status: 409, title: 'Custom app limit reached' },
  'app.in_use': { status: 409, title: 'The app is in use' },
  'source.in_use': { status: 409, title: 'The source is in use' },
  'source.streams_in_use': { status: 409, title: 'Connections use streams that would be excluded' },
  'destination.in_use': { status: 409, title: 'The destination is in use' },
  'source.app_gone': { status: 409, title: 'The app of the source was deleted' },
  'destination.app_gone': { status: 409, title: 'The app of the destination was deleted' },
  'demo.off': { status: 404, title: 'There is no demo' },
  'demo.busy': { status: 409, title: 'A run of the demo is active' },
  'run.not_active': { status: 409, title: 'The run has ended' },
  'run.active': { status: 409, title: 'The run is active' },
  'connection.not_reconciled': { status: 409, title: 'The connection cannot be reconciled' },
  'run.of_backfill': { status: 409, title: 'The run belongs to a backfill' },
  'reload.active': { status: 409, title: 'A reload of the connection is active' },
  'backfill.overlaps': { status: 409, title: 'Another backfill loads some of these days' },
  'backfill.nothing_missing': { status: 409, title: 'All of these days are loaded' },
  'backfill.swapping': { status: 409, title: 'The tables are being swapped' },
  'backfill.wrong_state': { status: 409, title: 'The backfill cannot do this now' },
  'connection.not_audited': { status: 409, title: 'The destination cannot be audited' },
  'connection.paused': { status: 409, title: 'The connection is paused' },
  'connection.fields_differ': { status: 409, title: 'Another connection writes the table with other fields' },
  'connection.parts_gone': { status: 409, title: 'The source or destination of the connection was deleted' },
  'schema_change.decided': { status: 409, title: 'The schema change is already decided' },
  'schema_change.not_decidable': { status: 409, title: 'The schema change cannot be decided this way' },
  'conversion.paused': { status: 409, title: 'The conversion is paused' },
  'conversion.parts_gone': { status: 409, title: 'The app or destination of the conversion was deleted' },
  'conversion.no_test_event': { status: 409, title: 'There is no event to test' },
  'conversion.target_gone': { status: 409, title: 'The conversion cannot send to its target' },
  'payment.paused': { status: 409, title: 'The payment is paused' },
  'payment.app_taken': { status: 409, title: 'Another payment uses the app' },
  'payment.destination_taken': { status: 409, title: 'Another payment writes the same account there' },
  'payment.parts_gone': { status: 409, title: 'The app or a destination of the payment was deleted' },
  'payment.busy': { status: 409, title: 'A run of the payment is just starting' },
  'submission.wrong_state': { status: 409, title: 'The submission is in another state' },
  'submission.incomplete': { status: 422, title: 'The submission is not complete' },
  'push.invalid_event': { status: 422, title: 'An event is not valid' },
  'push.busy': { status: 503, title: 'Pushes of this app must wait' },
  'push.quota_reached': { status: 409, title: 'The organization has reached its limit of stored events' },
  'app.not_connected': { status: 422, title: 'The app is not connected' },
  'source.unknown_account': { status: 422, title: 'The app has no access to this account' },
  'destination.credentials_required': { status: 422, title: 'The credentials must be entered again' },
  'destination.check_failed': { status: 422, title: 'The destination check failed' },
  'connection.history_gone': { status: 422, title: 'The platform no longer has data for these days' },
  'connection.unknown_column': { status: 422, title: 'The stream has no such column' },
  'connection.needed_column': { status: 422, title: 'The column cannot be excluded' },
  'resync.unsupported': { status: 422, title: 'The destination cannot replace a table' },
  'backfill.too_large': { status: 422, title: 'The backfill is too large' },
  'connection.unknown_account': { status: 422, title: 'The source has no such account' },
  'connection.unhashable_column': { status: 422, title: 'The column cannot be hashed' },
  'connection.unknown_stream': { status: 422, title: 'The source has no such stream' },
  'subscription.required': { status: 402, title: 'A subscription is required' },
  'subscription.limit_reached': { status: 402, title: 'The plan limit is reached' },
  'subscription.exists': { status: 409, title: 'The organization already has a subscription' },
  'subscription.no_customer': { status: 409, title: 'The organization has no billing customer' },
  'billing.off': { status: 409, title: 'Billing is disabled on this instance' },
  'billing.unavailable': { status: 503, title: 'Billing is unavailable' },
  'notification_rule.limit_reached': { status: 409, title: 'Notification rule limit reached' },
  'notification_rule.webhook_gone': { status: 409, title: 'The webhook of the notification rule was deleted' },
  'webhook.limit_reached': { status: 409, title: 'Webhook limit reached' },
  'webhook.disabled': { status: 409, title: 'The webhook is disabled' },
  'webhook.signature_invalid': { status: 400, title: 'The signature is not valid' },
  'provider.failed': { status: 422, title: 'The provider rejected the request' },
  'provider.unavailable': { status: 503, title: 'The provider is unavailable' },
  'provider.budget_used': { status: 429, title: 'The daily limit of provider requests is reached' },
  'provider.not_set_up': { status: 422, title: 'The provider is not configured on this instance' },
  'oauth.denied': { status: 422, title: 'Access was not granted' },
  'oauth.state_invalid': { status: 422, title: 'This sign-in link is not valid' },
  'oauth.state_expired': { status: 422, title: 'This sign-in link has expired' },
  'oauth.missing_scope': { status: 422, title: 'A permission is missing' },
  'oauth.no_accounts': { status: 422, title: 'No ad accounts found' },
  'oauth.other_user': { status: 422, title: 'Another user signed in' },
  'share_link.used': { status: 410, title: 'The link was already used' },
  'share_link.expired': { status: 410, title: 'The link has expired' },
  'share_link.taken_back': { status: 410, title: 'The link was revoked' },
  'server.stopping': { status: 503, title: 'The process is shutting down' },
  'database.unavailable': { status: 503, title: 'The database is unavailable' },
  internal: { status: 500, title: 'Internal Server Error' },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

export interface ProblemDetail {
  /** The cause, as a sentence for people. */
  detail: string;
  /** The one action that resolves the problem. */
  action?: string;
  /** One entry for each invalid field. */
  errors?: { field: string; message: string }[];
  /** Seconds to wait before a retry; sent as the Retry-After header. */
  retryAfterSeconds?: number;
  /** Results of the destination check. */
  checks?: unknown[];
  /** The user who signed in instead, and what would change. */
  otherUser?: object;
}

/** An error with a code of the catalog. `ProblemFilter` returns it as RFC 9457 problem+json. */
export class Problem extends HttpException {
  readonly code: ProblemCode;
  readonly problem: ProblemDetail;

  constructor(code: ProblemCode, detail: string | ProblemDetail, options?: ErrorOptions) {
    const problem = typeof detail === 'string' ? { detail } : detail;
    // The log appends the cause with a colon.
    super(options?.cause === undefined ? problem.detail : problem.detail.replace(/\.$/, ''), PROBLEMS[code].status, options);
    this.code = code;
    this.problem = problem;
  }
}

export const notFound = (resource: string): Problem => new Problem('not_found', `${resource} was not found.`);

export const versionConflict = (resource: string): Problem =>
  new Problem('conflict.version', { detail: `Someone else changed this ${resource}.`, action: 'Reload and try again' });
