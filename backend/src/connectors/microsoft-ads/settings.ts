export interface MicrosoftAdsSettings {
  /** Of the app registration in Microsoft Entra. */
  clientId: string;
  clientSecret: string;
  /** Of the operator's Microsoft Advertising developer account; goes with every call. */
  developerToken: string;
  /** `https://login.microsoftonline.com/common/oauth2/v2.0/authorize` */
  authorizeUrl: string;
  /** `https://login.microsoftonline.com/common/oauth2/v2.0/token` */
  tokenUrl: string;
  /** `https://clientcenter.api.bingads.microsoft.com`, without a slash at the end; likewise the others. */
  customerManagementUrl: string;
  /** `https://campaign.api.bingads.microsoft.com` */
  campaignManagementUrl: string;
  /** `https://reporting.api.bingads.microsoft.com` */
  reportingUrl: string;
  /** Microsoft's usual times where left out. */
  pace?: Partial<Pace>;
  /** The moment it is now, for the expiry of what is granted and the patience with reports. */
  now(): Date;
}

/** How long is waited for what; all in milliseconds. */
export interface Pace {
  /** After a report was asked for; doubled with each look at it. */
  firstPollMs: number;
  /** At most, between two looks at a report. Microsoft's own libraries look every 15 seconds. */
  longestPollMs: number;
  /** A report that is not ready then is left alone, and looked for again later. */
  reportPatienceMs: number;
  /** For one of our own reports to end, when Microsoft says that too many are under way. */
  concurrencyWaitMs: number;
}

const usualPace: Pace = {
  firstPollMs: 500,
  longestPollMs: 15_000,
  reportPatienceMs: 60 * 60_000,
  concurrencyWaitMs: 30_000,
};

export const paceOf = ({ pace }: MicrosoftAdsSettings): Pace => ({ ...usualPace, ...pace });
