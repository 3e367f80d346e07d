import { z } from 'zod';

/** Set by the operator. */
export interface MetaAdsSettings {
  /** `https://graph.facebook.com`, without a trailing slash. */
  graphUrl: string;
  /** `https://www.facebook.com`, which serves the login dialog. */
  dialogUrl: string;
  /** Version in the path, such as `v26.0`. Meta ends Marketing API versions about a year after their release. */
  apiVersion: string;
  appId: string;
  appSecret: string;
  /** Maximum wait for a report run before another is started. Default: 60 minutes, Meta's own limit. */
  reportPatienceMs?: number;
  /** Pause between a report run that ended without a report and its replacement. Default: 5 seconds. */
  failedRunPauseMs?: number;
  /** How long a new report run may be missing at Meta. Default: 60 seconds. */
  youngRunMs?: number;
  /** Writes to the operator's log. */
  warn?: ((message: string) => void) | undefined;
  /** The current time, to compute token expiry. */
  now(): Date;
}

/** `7d_view` and `28d_view` ended on 2026-01-12. */
export const attributionWindows = ['1d_click', '7d_click', '28d_click', '1d_view'] as const;

/** Set by the user. */
export const sourceSettingsSchema = z.object({
  attributionWindows: z
    .array(z.enum(attributionWindows))
    .max(attributionWindows.length)
    .default([...attributionWindows])
    .meta({
      title: 'Attribution windows',
      description:
        "Attribution windows for which actions are counted separately, in addition to each ad set's own window. A change applies to days that are loaded from then on. To apply it to earlier days too, re-sync “Actions of campaigns by day” on the tab Data of its connections.",
    }),
});

export type SourceSettings = z.infer<typeof sourceSettingsSchema>;
