import type { PreparedEvent } from '../kit/conversion.js';

/** The conversion action that receives the events. Ids contain digits only. */
export interface GoogleConversionAction {
  /** The account that owns the action, which can be a manager of the account with the campaigns. */
  accountId: string;
  /** The manager account that gives access; null for direct access. */
  loginAccountId: string | null;
  conversionActionId: string;
  /**
   * Before each transaction id. Google rejects ids that contain only digits. It may be empty if no id does, so that the ids equal
   * those of the website's tag.
   */
  transactionIdPrefix: string;
}

/** The same for both APIs, which share their events and order ids. */
export const keyOf = ({ accountId, conversionActionId }: GoogleConversionAction): string =>
  `google/${accountId}/${conversionActionId}`;

/** Body of `events:ingest`. Without `encoding`, Google rejects hashed identifiers. */
export function buildIngestRequest(
  action: GoogleConversionAction,
  events: PreparedEvent[],
  validateOnly = false,
): Record<string, unknown> {
  const account = (accountId: string) => ({ accountType: 'GOOGLE_ADS', accountId });
  return {
    destinations: [
      {
        operatingAccount: account(action.accountId),
        ...(action.loginAccountId && { loginAccount: account(action.loginAccountId) }),
        productDestinationId: action.conversionActionId,
      },
    ],
    events: events.map(({ payload }) => payload),
    encoding: 'HEX',
    ...(validateOnly && { validateOnly }),
  };
}
