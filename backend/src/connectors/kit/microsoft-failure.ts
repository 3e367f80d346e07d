import { z } from 'zod';

/** The information in a failed answer. */
export interface ProviderFailure {
  status: number;
  /** Microsoft's error number; null if the body contains none. */
  code: number | null;
  /** The error name in snake case, `call_rate_exceeded`. */
  symbol: string | null;
  isAccountInactive: boolean;
  /** The signed-in Microsoft user has no login at Microsoft Advertising. */
  isUserUnknown: boolean;
  /** The developer token belongs to no authorized developer. */
  isDeveloperUnknown: boolean;
  /** Without a detail, code 105 has several possible causes. */
  hasDetail: boolean;
  retryAfterSeconds: number | null;
  requestId: string | null;
}

const errorSchema = z.object({
  Code: z.coerce.number().int(),
  ErrorCode: z.string().nullish(),
  Message: z.string().nullish(),
  /** Two names for the same value, depending on the type of fault. */
  Detail: z.string().nullish(),
  Details: z.string().nullish(),
});
const errors = z.array(errorSchema).nullish();
/** AdApiFaultDetail has Errors, ApiFaultDetail the two others. */
const faultSchema = z.object({
  TrackingId: z.string().nullish(),
  Errors: errors,
  OperationErrors: errors,
  BatchErrors: errors,
});

export function readFailure(status: number, headers: Headers, text: string): ProviderFailure {
  const fault = faultSchema.safeParse(parseOrNull(text)).data;
  const [error] = [...(fault?.Errors ?? []), ...(fault?.OperationErrors ?? []), ...(fault?.BatchErrors ?? [])];
  const words = [error?.ErrorCode, error?.Message, error?.Detail, error?.Details];
  const mentions = (text: string): boolean => words.some((word) => word?.includes(text));
  return {
    status,
    code: error?.Code ?? null,
    symbol: error ? symbolOf(error) : null,
    isAccountInactive: mentions('AccountInactive'),
    isUserUnknown: mentions('UserNotFound'),
    isDeveloperUnknown: mentions('does not represent a authorized developer'),
    hasDetail: Boolean(error?.Detail) || Boolean(error?.Details),
    retryAfterSeconds: retryAfter(headers),
    requestId: headers.get('TrackingId') ?? fault?.TrackingId ?? null,
  };
}

/** `CallRateExceeded` becomes `call_rate_exceeded`; without a name the number is used. */
export function symbolOf({ Code, ErrorCode }: { Code: number; ErrorCode?: string | null | undefined }): string {
  const name = (ErrorCode ?? '').replace(/[^A-Za-z0-9]/g, '').replace(/^ReportingService/, '');
  return name === '' ? `code_${Code}` : name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase();
}

function retryAfter(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null;
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
