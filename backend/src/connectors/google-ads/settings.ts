export interface GoogleAdsSettings {
  /** `https://googleads.googleapis.com`, without a slash at the end. */
  baseUrl: string;
  /** Major version as it stands in the path, `v25`; Google ends each about twelve months after its release. */
  apiVersion: string;
}
