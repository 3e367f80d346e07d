import { z } from 'zod';
import type { ProviderFailure } from './errors.js';

const googleAdsError = z.object({
  errorCode: z.record(z.string(), z.string()).optional(),
  details: z.object({ quotaErrorDetails: z.object({ retryDelay: z.string().optional() }).optional() }).optional(),
});
const errorBody = z.object({
  error: z.object({
    code: z.number().optional(),
    status: z.string().optional(),
    details: z
      .array(
        z.object({ errors: z.array(googleAdsError).optional(), requestId: z.string().optional(), reason: z.string().optional() }),
      )
      .optional(),
  }),
});

/** Parses Google's error body, plain or wrapped in a list as in `searchStream`; null if there is none. */
export function readFailure(status: number, body: unknown, headers: Headers | null): ProviderFailure | null {
  const parsed = errorBody.safeParse(Array.isArray(body) ? body[0] : body);
  if (!parsed.success) return null;
  const details = parsed.data.error.details ?? [];
  const errors = details.flatMap((detail) => detail.errors ?? []);
  // Google's API gateway, which answers before Google Ads, returns its reason in an ErrorInfo.
  const frontDoor = { errorInfo: details.find((detail) => detail.reason)?.reason ?? '' };
  const [category, code] = Object.entries(errors[0]?.errorCode ?? frontDoor)[0] ?? [];
  return {
    // An error inside a stream that started with 200 has its own status.
    status: status === 200 ? (parsed.data.error.code ?? 500) : status,
    code: category && code ? `${category}.${code}` : null,
    retryAfterSeconds: readDelaySeconds(errors) ?? retryAfterHeader(headers),
    requestId: details.find((detail) => detail.requestId)?.requestId ?? headers?.get('request-id') ?? null,
  };
}

/** An answer without a readable error body: only its status and possibly Retry-After. */
export function bareFailure(status: number, headers: Headers): ProviderFailure {
  return { status, code: null, retryAfterSeconds: retryAfterHeader(headers), requestId: headers.get('request-id') };
}

/** Durations have the form `30s` or `1.5s`. They are rounded up, because waiting too short fails again. */
function readDelaySeconds(errors: z.infer<typeof googleAdsError>[]): number | null {
  const delays = errors.map((error) => Number.parseFloat(error.details?.quotaErrorDetails?.retryDelay ?? ''));
  const known = delays.filter((seconds) => Number.isFinite(seconds));
  return known.length === 0 ? null : Math.ceil(Math.max(...known));
}

function retryAfterHeader(headers: Headers | null): number | null {
  const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
