import { z } from 'zod';
import type { AccountTotals, AdAccount, ConnectorContext, Day } from '../kit/contract.js';
import { CorruptAnswer } from '../kit/errors.js';
import type { GoogleAdsApi } from './api.js';

const metric = z
  .string()
  .regex(/^-?\d{1,19}$/)
  .default('0')
  .transform(BigInt);
const chunkSchema = z.object({
  results: z
    .array(
      z.object({
        segments: z.object({ date: z.iso.date() }),
        metrics: z.object({ costMicros: metric, clicks: metric, impressions: metric }),
      }),
    )
    .default([]),
});

/** Campaigns contain every cost of the account. Ads, keywords and places need not add up to it (Performance Max). */
const WHOLE_STREAMS = ['campaign_daily', 'ad_performance_daily'];

/** Google's totals of the account itself: one request, one row for each day. */
export async function readAccountTotals(
  api: GoogleAdsApi,
  context: ConnectorContext,
  account: AdAccount,
  { from, to }: { from: Day; to: Day },
): Promise<AccountTotals> {
  const query = `SELECT segments.date, metrics.cost_micros, metrics.clicks, metrics.impressions FROM customer WHERE segments.date BETWEEN '${from}' AND '${to}'`;
  const totals: AccountTotals = { days: [], rowRoundingMicros: 0n, wholeStreams: WHOLE_STREAMS };
  for await (const chunks of api.searchStream(context, {
    customerId: account.externalId,
    loginCustomerId: account.managerId,
    query,
  })) {
    for (const { segments, metrics } of chunks.flatMap((chunk) => checkChunk(chunk).results))
      totals.days.push({ day: segments.date, rows: 1, ...metrics });
  }
  return totals;
}

function checkChunk(raw: unknown): z.infer<typeof chunkSchema> {
  const checked = chunkSchema.safeParse(raw);
  if (checked.success) return checked.data;
  throw new CorruptAnswer({
    code: 'google_ads.unexpected_value',
    message: `Google Ads sent an unexpected value at ${checked.error.issues[0]?.path.join('.')} in the totals of the account.`,
    action: 'No action needed: Tributary compares again the next night',
  });
}
