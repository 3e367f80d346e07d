export interface MicrosoftAdsSettings {
  /** From the app registration in Microsoft Entra. */
  clientId: string;
  clientSecret: string;
  /** From the operator's Microsoft Advertising developer account. Sent with every call. */
  developerToken: string;
  /** `https://login.microsoftonline.com/common/oauth2/v2.0/authorize` */
  authorizeUrl: string;
  /** `https://login.microsoftonline.com/common/oauth2/v2.0/token` */
  tokenUrl: string;
  /** `https://clientcenter.api.bingads.microsoft.com`, without a trailing slash, like the two below. */
  customerManagementUrl: string;
  /** `https://campaign.api.bingads.microsoft.com` */
  campaignManagementUrl: string;
  /** `https://reporting.api.bingads.microsoft.com` */
  reportingUrl: string;
  /** Defaults are Microsoft's usual times. */
  pace?: Partial<Pace>;
  /** The current time, for token expiry and report timeouts. */
  now(): Date;
}

/** Wait times in milliseconds. */
export interface Pace {
  /** Before the first poll of a report; doubles with each poll. */
  firstPollMs: number;
  /** Maximum time between two polls. Microsoft's own libraries poll every 15 seconds. */
  longestPollMs: number;
  /** After this time an unfinished report is left, and polled again later. */
  reportPatienceMs: number;
  /** Maximum wait for one of our own reports to end after Microsoft reports too many in progress. */
  concurrencyWaitMs: number;
}

const usualPace: Pace = {
  firstPollMs: 500,
  longestPollMs: 15_000,
  reportPatienceMs: 60 * 60_000,
  concurrencyWaitMs: 30_000,
};

export const paceOf = ({ pace }: MicrosoftAdsSettings): Pace => ({ ...usualPace, ...pace });
