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

/** Stored with a conversion. `GoogleConversionAction` describes the fields. */
export const actionSettingsSchema = z.strictObject({
  accountId: id,
  loginAccountId: id.nullable(),
  conversionActionId: id,
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
