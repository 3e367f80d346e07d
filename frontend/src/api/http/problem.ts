import { isRecord } from '~/lib/is-record';
import type { CheckItem, OtherUser } from '~/api/types';

interface ProblemBody {
  title: string;
  detail: string;
  code: string;
  action: string | null;
  errors: { field: string; message: string }[];
  checks: CheckItem[];
  requestId: string | null;
  documentedText: string | null;
  otherUser: OtherUser | null;
}

/** An error response: RFC 9457 problem details with the product's code, action and request id. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly action: string | null;
  readonly fieldErrors: { field: string; message: string }[];
  readonly checks: CheckItem[];
  readonly requestId: string | null;
  /** The fixed text of a call in the specification, when it differs from the detail. */
  readonly documentedText: string | null;
  /** Only for `oauth.other_user`: what would change. */
  readonly otherUser: OtherUser | null;

  constructor(status: number, body: ProblemBody) {
    super(body.detail || body.title);
    this.name = 'ApiProblem';
    this.status = status;
    this.code = body.code;
    this.action = body.action;
    this.fieldErrors = body.errors;
    this.checks = body.checks;
    this.requestId = body.requestId;
    this.documentedText = body.documentedText;
    this.otherUser = body.otherUser;
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Converts an error response. Every field has a default, because a proxy can respond with another format. */
export function toProblem(status: number, body: unknown, requestId: string | null): ApiProblem {
  const record = isRecord(body) ? body : {};
  const [detail, message] = [text(record.detail), text(record.message)];
  return new ApiProblem(status, {
    title: text(record.title) || `The server returned status ${status}`,
    detail: detail || message,
    code: text(record.code) || `http.${status}`,
    action: text(record.action) || null,
    errors: Array.isArray(record.errors) ? (record.errors as ProblemBody['errors']) : [],
    checks: Array.isArray(record.checks) ? (record.checks as CheckItem[]) : [],
    requestId: text(record.requestId) || requestId,
    documentedText: detail !== '' && message !== '' && message !== detail ? message : null,
    otherUser: isRecord(record.otherUser) ? (record.otherUser as unknown as OtherUser) : null,
  });
}

/** The request got no response. */
export class NetworkProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NetworkProblem';
  }
}

export const isNotFound = (error: unknown): boolean => error instanceof ApiProblem && error.status === 404;

/** The organization requires two-step sign-in for its owners and admins. */
export const isSecondFactorRequired = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === 'auth.second_factor_required';

/** Someone else saved the same resource after it was loaded. */
export const isConflict = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'conflict.version';
