export interface GoogleAdsSettings {
  /** `https://googleads.googleapis.com`, without a trailing slash. */
  baseUrl: string;
  /** Major version in the path, such as `v26`. Google ends each about twelve months after its release. */
  apiVersion: string;
  /** Limit until an answer begins, and between two parts of it. Default: `ANSWER_TIMEOUT_MS`. */
  answerTimeoutMs?: number;
}
