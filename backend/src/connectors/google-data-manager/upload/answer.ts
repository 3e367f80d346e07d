import { z } from 'zod';
import type { ConversionOutcome, SendResult } from '../../kit/conversion-target.js';
import { FixSettings, type ConnectorError } from '../../kit/errors.js';
import { meaningOfRow, type RowMeaning } from './row-errors.js';

const answerSchema = z.object({
  partialFailureError: z
    .object({
      details: z
        .array(
          z.object({
            errors: z
              .array(
                z.object({
                  errorCode: z.record(z.string(), z.string()).default({}),
                  location: z
                    .object({ fieldPathElements: z.array(z.object({ index: z.coerce.number().int().optional() })).default([]) })
                    .optional(),
                }),
              )
              .default([]),
          }),
        )
        .default([]),
    })
    .optional(),
  results: z.array(z.unknown()).optional(),
});

interface RowError {
  /** `order_id_already_in_use` */
  symbol: string;
  meaning: RowMeaning;
}

const unreadable: ConversionOutcome = {
  state: 'unknown',
  code: 'google_ads_upload.unreadable_answer',
  message: 'Google answered, but not in a way that says whether it took this event.',
};

/** The errors of an upload are in `details[].errors`, each with the index of its row. All other rows were taken. */
export function readUploadAnswer(body: unknown, requestId: string | null, count: number): SendResult {
  const parsed = answerSchema.safeParse(body);
  if (!parsed.success) return { outcomes: Array.from({ length: count }, () => unreadable), stoppedBy: null };
  const errors = new Map<number, RowError>();
  for (const { errorCode, location } of parsed.data.partialFailureError?.details.flatMap((detail) => detail.errors) ?? []) {
    const [category = '', code = ''] = Object.entries(errorCode)[0] ?? [];
    // proto3 omits the index 0.
    const index = location?.fieldPathElements[0] ? (location.fieldPathElements[0].index ?? 0) : -1;
    if (!errors.has(index)) errors.set(index, { symbol: code.toLowerCase(), meaning: meaningOfRow(`${category}.${code}`) });
  }
  // An error of a row that was not sent, or of none, could belong to any row.
  const isAmbiguous = [...errors.keys()].some((index) => index < 0 || index >= count);
  const isSilent = parsed.data.partialFailureError !== undefined && errors.size === 0;
  const taken: ConversionOutcome = isAmbiguous || isSilent ? unreadable : { state: 'accepted', requestId, notes: [] };
  const outcomes = Array.from({ length: count }, (_, index) => toOutcome(errors.get(index), requestId) ?? taken);
  return { outcomes, stoppedBy: setupError([...errors.values()], requestId) };
}

function toOutcome(error: RowError | undefined, requestId: string | null): ConversionOutcome | null {
  if (!error) return null;
  const { consequence, message, waitSeconds } = error.meaning;
  const code = `google_ads_upload.${error.symbol || 'unknown'}`;
  if (consequence === 'taken') return { state: 'accepted', requestId, notes: [{ code, message }] };
  if (consequence === 'unmatched') return { state: 'unmatched', code, message };
  if (consequence === 'setup') return { state: 'not_sent' };
  return { state: 'rejected', code, message, isRetryable: consequence === 'retry', retryAfterSeconds: waitSeconds ?? null };
}

function setupError(errors: RowError[], providerRequestId: string | null): ConnectorError | null {
  const found = errors.find(({ meaning }) => meaning.consequence === 'setup');
  if (!found) return null;
  const { message, action = '' } = found.meaning;
  return new FixSettings({ code: `google_ads_upload.${found.symbol}`, message, action, providerRequestId });
}
