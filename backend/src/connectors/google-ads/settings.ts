export interface GoogleAdsSettings {
  /** `https://googleads.googleapis.com`, without a slash at the end. */
  baseUrl: string;
  /** Major version in the path, `v26`; Google ends each about twelve months after its release. */
  apiVersion: string;
  /** Until an answer begins, and between two parts of it. Unset: `ANSWER_TIMEOUT_MS`. */
  answerTimeoutMs?: number;
}
