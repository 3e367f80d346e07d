import { z } from 'zod';
import { errorOf, NOTHING_TO_DO } from '../kit/error-table.js';
import { CorruptAnswer, type ConnectorError } from '../kit/errors.js';
import {
  errorMeanings,
  internalError,
  meaningOfParameterText,
  meaningOfPermissionText,
  meaningOfRange,
  statusMeanings,
  TOO_MUCH_DATA_TEXT,
  tooMuchData,
  unknownMeaning,
  type ErrorMeaning,
} from './error-meanings.js';

export interface ProviderFailure {
  status: number;
  code: number | null;
  subcode: number | null;
  /** Meta's own text. It is only matched and never shown, because it may quote a token. */
  text: string;
  isTransient: boolean;
  retryAfterSeconds: number | null;
  requestId: string | null;
}

const errorBody = z.object({
  error: z.object({
    message: z.string().default(''),
    code: z.number(),
    error_subcode: z.number().optional(),
    is_transient: z.boolean().default(false),
  }),
});

export function readFailure(
  answer: { status: number; requestId: string | null },
  body: unknown,
  retryAfterSeconds: number | null,
): ProviderFailure {
  const parsed = errorBody.safeParse(body);
  const error = parsed.success ? parsed.data.error : null;
  return {
    status: answer.status,
    code: error?.code ?? null,
    subcode: error?.error_subcode ?? null,
    text: error?.message ?? '',
    isTransient: error?.is_transient ?? false,
    retryAfterSeconds,
    requestId: answer.requestId,
  };
}

export function toConnectorError(failure: ProviderFailure): ConnectorError {
  const { name, consequence, message, action } = findMeaning(failure);
  const detail = { code: `meta_ads.${name}`, message, action, providerRequestId: failure.requestId };
  // Meta reports when its limits are reset with every answer. Only an error of the limits waits that long.
  const retryAfterSeconds = consequence.startsWith('wait') ? waitSeconds(failure) : null;
  return errorOf(consequence, detail, retryAfterSeconds);
}

/** All other errors with code 100 are wrong parameters. */
function findMeaning({ code, subcode, status, text, isTransient }: ProviderFailure): ErrorMeaning {
  if (code === null) return statusMeanings[status] ?? unknownMeaning;
  if (code === 1 && text.includes(TOO_MUCH_DATA_TEXT)) return tooMuchData;
  if (code === 1 && status === 500) return internalError;
  const known =
    errorMeanings[`${code}/${subcode}`] ??
    (code === 100 ? meaningOfParameterText(text) : undefined) ??
    (code === 200 ? meaningOfPermissionText(text) : undefined) ??
    errorMeanings[String(code)] ??
    meaningOfRange(code);
  // A parameter error that Meta calls transient is not caused by the request.
  if (isTransient && (!known || known.consequence === 'fix')) return unknownMeaning;
  return known ?? statusMeanings[status] ?? unknownMeaning;
}

const POLICY_BLOCK_SECONDS = 3_600;

function waitSeconds({ code, retryAfterSeconds }: ProviderFailure): number | null {
  return code === 368 ? POLICY_BLOCK_SECONDS : retryAfterSeconds;
}

export function corrupt(name: string, message: string, options?: ErrorOptions): CorruptAnswer {
  return new CorruptAnswer(
    {
      code: `meta_ads.${name}`,
      message: `${message} Nothing of the chunk was loaded.`,
      action: NOTHING_TO_DO,
    },
    options,
  );
}
