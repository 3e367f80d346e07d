import { z } from 'zod';
import type { AccessTokenProvider, AdAccount, ConnectorContext } from '../kit/contract.js';
import type { ConversionTargetChoice } from '../kit/conversion-target.js';
import { errorOf, NOTHING_TO_DO, type Consequence } from '../kit/error-table.js';
import { CorruptAnswer, type ConnectorError } from '../kit/errors.js';
import { parseJson, sendAuthorized } from './request-sender.js';
import { DEFAULT_PREFIX, type GoogleConversionsSettings } from './settings.js';

/** Only this type takes events of clicks that are sent later. Others are recorded by a tag, an app or a call. */
const query =
  'SELECT conversion_action.id, conversion_action.name, conversion_action.status, conversion_action.owner_customer ' +
  "FROM conversion_action WHERE conversion_action.type = 'UPLOAD_CLICKS' AND conversion_action.status != 'REMOVED' " +
  'ORDER BY conversion_action.name';

const pageSchema = z.object({
  results: z
    .array(
      z.object({
        conversionAction: z.object({
          id: z.string().regex(/^\d+$/),
          name: z.string().default(''),
          status: z.string().default('UNKNOWN'),
          ownerCustomer: z
            .string()
            .regex(/^customers\/\d+$/)
            .optional(),
        }),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
});

type Action = z.infer<typeof pageSchema>['results'][number]['conversionAction'];

/** The conversion actions that an ad account can use for events of clicks. */
export async function listConversionActions(
  settings: GoogleConversionsSettings,
  accessToken: AccessTokenProvider,
  context: ConnectorContext,
  account: AdAccount,
): Promise<ConversionTargetChoice[]> {
  const choices: ConversionTargetChoice[] = [];
  for (let pageToken: string | undefined, isLast = false; !isLast;) {
    const answer = await sendAuthorized(settings.adsUrl, accessToken, context, {
      method: 'POST',
      path: `/${settings.adsApiVersion}/customers/${account.externalId}/googleAds:search`,
      headers: account.managerId === null ? {} : { 'login-customer-id': account.managerId },
      json: { query, ...(pageToken !== undefined && { pageToken }) },
    });
    const text = await answer.text();
    if (answer.status !== 200) throw searchError(answer.status, text);
    const page = pageSchema.safeParse(parseJson(text));
    if (!page.success) throw unexpectedAnswer();
    choices.push(...page.data.results.map(({ conversionAction }) => toChoice(conversionAction, account)));
    pageToken = page.data.nextPageToken || undefined;
    isLast = pageToken === undefined;
  }
  return choices;
}

/** Events are sent to the owner of the action: with cross-account conversion tracking, this is the manager. */
function toChoice({ id, name, status, ownerCustomer }: Action, account: AdAccount): ConversionTargetChoice {
  const ownerId = ownerCustomer?.replace('customers/', '') ?? account.externalId;
  return {
    settings: {
      accountId: ownerId,
      loginAccountId: account.managerId === ownerId ? null : account.managerId,
      conversionActionId: id,
      api: 'data_manager',
      transactionIdPrefix: DEFAULT_PREFIX,
    },
    name: name || id,
    kind: 'conversion action',
    problem: status === 'ENABLED' ? null : 'Google Ads records no events for it, because it is not enabled.',
  };
}

const meanings: Record<number, [consequence: Consequence, message: string, action: string]> = {
  401: ['reconnect', 'Google no longer accepts the stored access.', 'Reconnect with Google'],
  403: [
    'fix',
    'The connected Google user cannot list the conversion actions of this ad account.',
    'Give the user access in Google Ads',
  ],
  429: ['wait', 'Google Ads throttles requests.', NOTHING_TO_DO],
};

function searchError(status: number, text: string): ConnectorError {
  const isOurs = status === 400 || status === 404;
  const [consequence, message, action] = meanings[status] ?? [
    isOurs ? 'fix' : 'retry',
    isOurs ? 'Google Ads rejected the request for conversion actions.' : 'Google Ads had a temporary error.',
    isOurs ? 'Contact the operator of this installation' : NOTHING_TO_DO,
  ];
  const isScopeMissing = text.includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT');
  if (isScopeMissing)
    return errorOf('reconnect', detail('scope_missing', 'Access to Google Ads was not granted.', reconnect), null);
  return errorOf(consequence, detail(`actions_http_${status}`, message, action), null);
}

const reconnect = 'Reconnect with Google';

const detail = (code: string, message: string, action: string) => ({ code: `google_data_manager.${code}`, message, action });

const unexpectedAnswer = (): CorruptAnswer =>
  new CorruptAnswer(detail('unexpected_answer', 'Google Ads sent conversion actions in an unexpected format.', NOTHING_TO_DO));
