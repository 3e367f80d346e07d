import { z } from 'zod';

/** Set by the operator. */
export interface MetaConversionsSettings {
  /** `https://graph.facebook.com`, without a slash at the end. */
  graphUrl: string;
  appSecret: string;
  /** Version of the Conversions API. It follows the calendar of the Graph API: two years for each version. */
  apiVersion: string;
  /** Version of the Marketing API, which lists datasets. Meta ends these after about a year. */
  adsApiVersion: string;
  /** Limit until an answer begins. Default: `ANSWER_TIMEOUT_MS`. */
  answerTimeoutMs?: number;
  /** The current time, to compute when a limit is reset. */
  now(): Date;
}

/**
 * Meta advises 1.5 seconds, for servers that send each event while a visitor waits. Here nobody waits, and each request that is
 * ended early leaves up to 1,000 events that may be counted twice.
 */
export const ANSWER_TIMEOUT_MS = 30_000;

/** Stored with a conversion. */
export const datasetSettingsSchema = z.strictObject({
  datasetId: z.string().regex(/^\d{1,30}$/, 'must contain digits only'),
  eventName: z
    .string()
    .trim()
    .min(1)
    .max(50)
    .default('Purchase')
    .meta({ title: 'Event name', description: 'A standard event of Meta, such as Purchase or Lead, or a name of your own.' }),
});
