import { z } from 'zod';

/** Set by the operator. Addresses have no slash at the end. */
export interface GoogleConversionsSettings {
  /** `https://datamanager.googleapis.com` */
  dataManagerUrl: string;
  /** `https://googleads.googleapis.com`, which lists conversion actions. */
  adsUrl: string;
  /** Major version in the path of the Google Ads API, such as `v26`. */
  adsApiVersion: string;
}

export const DEFAULT_PREFIX = 'ord-';

const id = z.string().regex(/^\d{1,20}$/, 'must contain digits only');

/** Stored with a conversion. `GoogleConversionAction` describes the fields. `api`: which of Google's two APIs receives the events. */
export const actionSettingsSchema = z.strictObject({
  accountId: id,
  loginAccountId: id.nullable(),
  conversionActionId: id,
  api: z
    .enum(['data_manager', 'google_ads_upload'])
    .default('data_manager')
    .meta({
      title: 'API',
      description:
        'Google closed click uploads of the Google Ads API to new developers on 2026-06-15. Choose them only if this installation ' +
        'uploaded clicks before, for example because full refunds must remove conversions, which the Data Manager API cannot.',
    }),
  transactionIdPrefix: z
    .string()
    .regex(/^[!-~]{0,20}$/, 'must be at most 20 letters, digits or signs')
    .default(DEFAULT_PREFIX)
    .meta({
      title: 'Prefix of order ids',
      description:
        'Sent before each order id, because Google Ads rejects ids that contain only digits. Leave it empty only if the ids must ' +
        'equal those of your website tag and contain letters.',
    }),
});
