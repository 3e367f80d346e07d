import { z } from 'zod';
import type { AccessTokenProvider, ConnectorContext } from '../kit/contract.js';
import type { PreparedEvent } from '../kit/conversion.js';
import type { ConversionOutcome, SendResult } from '../kit/conversion-target.js';
import { FixSettings, type ConnectorError } from '../kit/errors.js';
import { failedBatch, recognizable } from '../kit/failed-batch.js';
import { symbolOf } from '../kit/microsoft-failure.js';
import { CampaignApi, type AccountOfCall } from './campaign-api.js';
import { isTemporary, toConnectorError } from './errors.js';
import { meaningOfRow, type RowMeaning } from './row-errors.js';
import type { MicrosoftConversionsSettings } from './settings.js';

/** A call that applies a list of rows, each for itself. */
export interface RowCall {
  /** `OfflineConversions/Apply` */
  operation: string;
  /** Name of the list in the request. */
  list: string;
}

export const offlineConversions: RowCall = { operation: 'OfflineConversions/Apply', list: 'OfflineConversions' };
export const offlineAdjustments: RowCall = {
  operation: 'OfflineConversionAdjustments/Apply',
  list: 'OfflineConversionAdjustments',
};
export const onlineAdjustments: RowCall = {
  operation: 'OnlineConversionAdjustments/Apply',
  list: 'OnlineConversionAdjustments',
};

const answerSchema = z.object({
  PartialErrors: z
    .array(
      z.object({ Index: z.number().int(), Code: z.coerce.number().int().catch(-1), ErrorCode: z.string().nullish() }).nullable(),
    )
    .nullish(),
});

interface RowError {
  /** `offline_conversion_name_invalid` */
  symbol: string;
  meaning: RowMeaning;
}

/** Sends rows in one request. Valid rows are applied although others are not. */
export async function applyRows(
  settings: MicrosoftConversionsSettings,
  tokens: AccessTokenProvider,
  context: ConnectorContext,
  account: AccountOfCall,
  { operation, list }: RowCall,
  events: PreparedEvent[],
): Promise<SendResult> {
  if (events.length === 0) return { outcomes: [], stoppedBy: null };
  try {
    const api = new CampaignApi(settings, recognizable(tokens));
    const answer = await api.call(context, account, operation, { [list]: events.map(({ payload }) => payload) });
    if (!answer.failure) return readRows(answer.body, answer.requestId, events.length);
    const error = toConnectorError(answer.failure);
    return stopped(
      error,
      isTemporary(answer.failure) ? unknown(error.code, error.message) : { state: 'not_sent' },
      events.length,
    );
  } catch (error) {
    const failed = failedBatch(error);
    if (failed.state !== 'stopped') throw error;
    return stopped(failed.error, failed.outcome, events.length);
  }
}

const stopped = (stoppedBy: ConnectorError, outcome: ConversionOutcome, count: number): SendResult => ({
  outcomes: Array.from({ length: count }, () => outcome),
  stoppedBy,
});

const unknown = (code: string, message: string): ConversionOutcome => ({ state: 'unknown', code, message });

const unreadable = unknown(
  'microsoft_conversions.unreadable_answer',
  'Microsoft Advertising answered, but not in a way that says whether it took this event.',
);

/** Errors do not line up with the rows: each has the index of its row, in any order, and a row may have several. */
export function readRows(body: unknown, requestId: string | null, count: number): SendResult {
  const parsed = answerSchema.safeParse(body);
  if (!parsed.success) return { outcomes: Array.from({ length: count }, () => unreadable), stoppedBy: null };
  const errors = new Map<number, RowError[]>();
  for (const error of parsed.data.PartialErrors ?? []) {
    if (!error) continue;
    const { Index, Code, ErrorCode = null } = error;
    const found = { symbol: symbolOf({ Code, ErrorCode }), meaning: meaningOfRow({ code: Code, name: ErrorCode }) };
    errors.set(Index, [...(errors.get(Index) ?? []), found]);
  }
  // An error of a row that was not sent could belong to any row.
  const isAmbiguous = [...errors.keys()].some((index) => index < 0 || index >= count);
  const taken: ConversionOutcome = isAmbiguous ? unreadable : { state: 'accepted', requestId, notes: [] };
  const outcomes = Array.from({ length: count }, (_, index) => toOutcome(errors.get(index)) ?? taken);
  return { outcomes, stoppedBy: setupError([...errors.values()].flat(), requestId) };
}

/** A row is final if one of its errors is. Otherwise it waits for the longest of them. */
function toOutcome(errors: RowError[] | undefined): ConversionOutcome | null {
  if (!errors) return null;
  if (errors.some(({ meaning }) => meaning.consequence === 'setup')) return { state: 'not_sent' };
  const drops = errors.filter(({ meaning }) => meaning.consequence === 'drop');
  const decisive = drops.length > 0 ? drops : errors;
  const waits = decisive.flatMap(({ meaning }) => meaning.waitSeconds ?? []);
  return {
    state: 'rejected',
    code: `microsoft_conversions.${decisive[0]?.symbol ?? 'unknown'}`,
    message: [...new Set(decisive.map(({ meaning }) => meaning.message))].join(' '),
    isRetryable: drops.length === 0,
    retryAfterSeconds: waits.length > 0 ? Math.max(...waits) : null,
  };
}

function setupError(errors: RowError[], providerRequestId: string | null): ConnectorError | null {
  const found = errors.find(({ meaning }) => meaning.consequence === 'setup');
  if (!found) return null;
  return new FixSettings({
    code: `microsoft_conversions.${found.symbol}`,
    message: found.meaning.message,
    action: 'Choose another goal',
    providerRequestId,
  });
}
