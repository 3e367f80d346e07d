import {
  FixSettings,
  ReconnectNeeded,
  RetryLater,
  SkipAccount,
  SplitSlice,
  type ConnectorError,
  type FailureDetail,
} from './errors.js';

/**
 * What happens after an error of a provider. `wait`: a retry after the app is throttled or its quota is used up; `wait_account`:
 * the same for one ad account.
 */
export type Consequence = 'retry' | 'wait' | 'wait_account' | 'split' | 'reconnect' | 'skip' | 'fix';

/** A row of a connector's table of provider errors. */
export interface ErrorMeaning {
  consequence: Consequence;
  message: string;
  action: string;
}

export const NOTHING_TO_DO = 'No action needed: Tributary retries automatically';
export const ASK_OPERATOR = 'Contact the operator of this installation';

export const retry = (message: string): ErrorMeaning => ({ consequence: 'retry', message, action: NOTHING_TO_DO });
export const wait = (message: string): ErrorMeaning => ({ consequence: 'wait', message, action: NOTHING_TO_DO });
export const waitAccount = (message: string): ErrorMeaning => ({ consequence: 'wait_account', message, action: NOTHING_TO_DO });
/** Days that left the retention of the platform after they were planned. Of a halved slice, the other days are loaded. */
export const tooLongAgo = (message: string): ErrorMeaning => ({
  consequence: 'split',
  message,
  action: 'No action needed: later days are loaded',
});
export const skip = (message: string, action: string): ErrorMeaning => ({ consequence: 'skip', message, action });
export const operator = (message: string, action = ASK_OPERATOR): ErrorMeaning => ({ consequence: 'fix', message, action });

/** The error of the consequence. `retryAfterSeconds` is only for retries and waits. */
export function errorOf(consequence: Consequence, detail: FailureDetail, retryAfterSeconds: number | null): ConnectorError {
  switch (consequence) {
    case 'reconnect':
      return new ReconnectNeeded(detail);
    case 'skip':
      return new SkipAccount(detail);
    case 'fix':
      return new FixSettings(detail);
    case 'split':
      return new SplitSlice(detail);
    case 'wait':
      return new RetryLater({ ...detail, retryAfterSeconds, failureClass: 'quota' });
    case 'wait_account':
      return new RetryLater({ ...detail, retryAfterSeconds, failureClass: 'quota', quotaOf: 'account' });
    case 'retry':
      return new RetryLater({ ...detail, retryAfterSeconds });
  }
}
