import { randomBytes } from 'node:crypto';

interface Extra {
  subcode?: number;
  /** Default: 400, which Meta uses for nearly all errors. */
  httpStatus?: number;
  type?: string;
  isTransient?: boolean;
  userTitle?: string;
  userMessage?: string;
}

/** An error answer of the Graph API. Its meaning is in code and subcode, not in the HTTP status. */
export class GraphError extends Error {
  readonly code: number;
  readonly extra: Extra;

  constructor(code: number, message: string, extra: Extra = {}) {
    super(message);
    this.code = code;
    this.extra = extra;
  }

  get httpStatus(): number {
    return this.extra.httpStatus ?? 400;
  }

  body(): Record<string, unknown> {
    const { subcode, type = 'OAuthException', isTransient, userTitle, userMessage } = this.extra;
    return {
      error: {
        message: this.message,
        type,
        code: this.code,
        ...(subcode !== undefined && { error_subcode: subcode }),
        ...(isTransient !== undefined && { is_transient: isTransient }),
        ...(userTitle && { error_user_title: userTitle }),
        ...(userMessage && { error_user_msg: userMessage }),
        fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
      },
    };
  }
}

/** By subcode of 190. */
const tokenMessages: Record<number, string> = {
  458: 'Error validating access token: The user has not authorized application.',
  459: 'Error validating access token: You cannot access the app till you log in to www.facebook.com and follow the instructions given.',
  460: 'Error validating access token: The session has been invalidated because the user changed their password or Facebook has changed the session for security reasons.',
  463: 'Error validating access token: Session has expired.',
  464: 'Error validating access token: Sessions for the user are not allowed because the user is not a confirmed user.',
  467: 'Error validating access token: The access token is invalid since the user has logged out.',
};

export function deadToken(subcode: number): GraphError {
  return new GraphError(190, tokenMessages[subcode] ?? 'Error validating access token.', { subcode });
}

export function badParameter(message: string, extra: Extra = {}): GraphError {
  return new GraphError(100, `(#100) ${message}`, { ...extra });
}

/** Missing and forbidden objects return the same error. */
export function unknownObject(id: string, method: 'get' | 'post' = 'get'): GraphError {
  return new GraphError(
    100,
    `Unsupported ${method} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
    { subcode: 33, type: 'GraphMethodException' },
  );
}

export function notGranted(): GraphError {
  return new GraphError(200, '(#200) Ad account owner has NOT grant ads_management or ads_read permission', { httpStatus: 403 });
}

/** Errors of the app or of the user as a whole, not of an account (public reports of users; facebook-java-business-sdk #272). */
export function refusedApp(reason: unknown): GraphError {
  if (reason === 'capability') return new GraphError(3, '(#3) Application does not have the capability to make this API call.');
  if (reason === 'owner') return notGranted();
  if (reason === 'behalf') return new GraphError(200, '(#200) Cannot call API on behalf of this user');
  return new GraphError(200, 'API access blocked.');
}

/** `business` of an ad account, requested without the permission: the whole list fails (PostHog #77748). */
export function needsBusinessManagement(): GraphError {
  return new GraphError(200, '(#200) Requires business_management permission to manage the object', { httpStatus: 403 });
}

export function tooMuchForOneCall(): GraphError {
  return new GraphError(100, "Please reduce the amount of data you're asking for, then retry your request", {
    subcode: 1_487_534,
    userTitle: 'Data per call limit',
    userMessage: 'The number of rows asked for is above the limit of one call.',
  });
}

/** Unlike the limit of rows per call: Meta cannot build a page with this many rows (facebook-python-business-sdk #470). */
export function tooMuchForOnePage(): GraphError {
  return new GraphError(1, "Please reduce the amount of data you're asking for, then retry your request", { httpStatus: 500 });
}

/** Meta's other answer to a page with too many rows (airbyte #25383). */
export function unknownError(): GraphError {
  return new GraphError(1, 'An unknown error occurred', { subcode: 99, httpStatus: 500 });
}

export function timedOut(): GraphError {
  return new GraphError(2, 'An unexpected error has occurred. Please retry your request later.', {
    subcode: 1_504_038,
    httpStatus: 500,
    isTransient: true,
    userTitle: 'Request timed out',
    userMessage: 'The request took too long. Use a smaller range or an asynchronous report.',
  });
}

/** 80000 for insights, 80004 for everything that counts as managing ads. */
export function throttled(code: 80_000 | 80_004): GraphError {
  return new GraphError(
    code,
    `(#${code}) There have been too many calls from this ad-account. Wait a bit and try again. For more info, please refer to https://developers.facebook.com/docs/graph-api/overview/rate-limiting.`,
    { subcode: 2_446_079, isTransient: false },
  );
}
