import { z } from 'zod';

/** Of the operator. */
export interface MetaAdsSettings {
  /** `https://graph.facebook.com`, without a slash at the end. */
  graphUrl: string;
  /** `https://www.facebook.com`: where the login dialog is. */
  dialogUrl: string;
  /** Version in the path, `v26.0`; Meta ends those for ads about a year after their release. */
  apiVersion: string;
  appId: string;
  appSecret: string;
  /** How long a report run is waited for before another is started; 60 minutes, as Meta allows itself, unless set. */
  reportPatienceMs?: number;
  /** Between a report run that ended without a report and the one that replaces it; 5 seconds unless set. */
  failedRunPauseMs?: number;
  /** How long a report run may be unknown after it was started; 60 seconds unless set. */
  youngRunMs?: number;
  /** The moment it is now, for the expiry of what is granted. */
  now(): Date;
}

/** `7d_view` and `28d_view` ended on 2026-01-12. */
export const attributionWindows = ['1d_click', '7d_click', '28d_click', '1d_view'] as const;

/** Of the user. */
export const sourceSettingsSchema = z.object({
  attributionWindows: z
    .array(z.enum(attributionWindows))
    .max(attributionWindows.length)
    .default([...attributionWindows])
    .meta({
      title: 'Attribution windows',
      description: 'Windows for which actions are counted one by one, beside the one that each ad set has set for itself.',
    }),
});

export type SourceSettings = z.infer<typeof sourceSettingsSchema>;
