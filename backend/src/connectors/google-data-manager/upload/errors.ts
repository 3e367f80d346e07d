import { z } from 'zod';
import { ASK_OPERATOR, NOTHING_TO_DO } from '../../kit/error-table.js';
import { FixSettings, ReconnectNeeded, RetryLater, type ConnectorError } from '../../kit/errors.js';
import { refusalOfInstallation } from '../../kit/google-refusals.js';

/** `GoogleAdsFailure`, or an ErrorInfo of the front end of Google APIs. */
const body = z.object({
  error: z.object({
    details: z
      .array(
        z.object({
          errors: z.array(z.object({ errorCode: z.record(z.string(), z.string()).default({}) })).default([]),
          requestId: z.string().optional(),
          reason: z.string().optional(),
        }),
      )
      .default([]),
  }),
});

interface Failure {
  status: number;
  /** `category.CODE`; empty if there is none. */
  codes: string[];
  requestId: string | null;
}

export interface UploadHead {
  status: number;
  retryAfter: string | null;
}

/** Why a whole upload failed. */
export function uploadError({ status, retryAfter }: UploadHead, answer: unknown): ConnectorError {
  const failure = readFailure(status, answer);
  return setupError(failure) ?? temporaryError(failure, retryAfter);
}

function readFailure(status: number, answer: unknown): Failure {
  const parsed = body.safeParse(answer);
  const details = parsed.success ? parsed.data.error.details : [];
  return {
    status,
    codes: details.flatMap(({ errors, reason }) => [
      ...(reason ? [`errorInfo.${reason}`] : []),
      ...errors.flatMap(({ errorCode }) => Object.entries(errorCode).map(([category, code]) => `${category}.${code}`)),
    ]),
    requestId: details.find(({ requestId }) => requestId)?.requestId ?? null,
  };
}

type Detail = Omit<ConstructorParameters<typeof FixSettings>[0], 'providerRequestId'>;

const setups: [isIt: (failure: Failure) => boolean, detail: Detail][] = [
  [
    ({ codes }) => codes.includes('notAllowlistedError.CUSTOMER_NOT_ALLOWLISTED_FOR_THIS_FEATURE'),
    {
      code: 'google_ads_upload.not_allowlisted',
      message:
        'Google accepts click uploads only from developers who used them before 2026-06-15. This installation is not one of them.',
      action: 'Use the Data Manager API',
    },
  ],
  [
    ({ codes }) => codes.some((code) => code.startsWith('requestError.')),
    {
      code: 'google_ads_upload.request_refused',
      message: 'Google Ads rejected an upload. This is a bug in Tributary.',
      action: ASK_OPERATOR,
    },
  ],
  [
    ({ status }) => status === 403,
    {
      code: 'google_ads_upload.permission_denied',
      message: 'The connected Google user cannot upload conversions to this account.',
      action: 'Give the user access in Google Ads',
      failureClass: 'permission',
    },
  ],
  [
    ({ status }) => status === 400 || status === 404,
    {
      code: 'google_ads_upload.rejected',
      message: 'Google Ads rejected the upload as a whole.',
      action: 'Choose another conversion action',
    },
  ],
];

function setupError(failure: Failure): ConnectorError | null {
  const { status, codes, requestId: providerRequestId } = failure;
  // Before the status: errors of the Google Cloud project and its organization can be a 401 too.
  const refusal = codes.map((code) => refusalOfInstallation(code, status)).find((meaning) => meaning !== null);
  if (refusal) {
    const { message, action } = refusal;
    return new FixSettings({ code: 'google_ads_upload.access_level', message, action, providerRequestId });
  }
  if (status === 401 || codes.includes('errorInfo.ACCESS_TOKEN_SCOPE_INSUFFICIENT'))
    return new ReconnectNeeded({
      code: 'google_ads_upload.unauthenticated',
      message: 'Google rejected the stored access.',
      action: 'Reconnect with Google',
      providerRequestId,
    });
  const found = setups.find(([isIt]) => isIt(failure));
  return found ? new FixSettings({ ...found[1], providerRequestId }) : null;
}

function temporaryError({ status, codes, requestId: providerRequestId }: Failure, retryAfter: string | null): RetryLater {
  const seconds = Number(retryAfter ?? Number.NaN);
  const isThrottled = status === 429;
  return new RetryLater({
    code: `google_ads_upload.${codes[0]?.split('.')[1]?.toLowerCase() ?? `http_${status}`}`,
    message: isThrottled ? 'Google Ads throttles uploads.' : 'Google Ads had a temporary error.',
    action: NOTHING_TO_DO,
    providerRequestId,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
    ...(isThrottled && { failureClass: 'quota' as const }),
  });
}
