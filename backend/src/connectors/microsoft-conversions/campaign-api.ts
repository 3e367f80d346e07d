import type { AccessTokenProvider, ConnectorContext } from '../kit/contract.js';
import { sendRequest, type HttpAnswer } from '../kit/http.js';
import { readFailure, type ProviderFailure } from '../kit/microsoft-failure.js';
import type { MicrosoftConversionsSettings } from './settings.js';

export interface AccountOfCall {
  accountId: string;
  /** The customer that owns the account. */
  customerId: string;
}

/** The answer to a call: a body, or a failure of the whole call. */
export type CampaignAnswer = { failure: null; body: unknown; requestId: string | null } | { failure: CallFailure };

export interface CallFailure extends ProviderFailure {
  /** Whether the rejected token had just been renewed. */
  isTokenRenewed: boolean;
}

/** Calls of the Campaign Management service for one ad account. */
export class CampaignApi {
  private readonly settings: MicrosoftConversionsSettings;
  private readonly tokens: AccessTokenProvider;

  constructor(settings: MicrosoftConversionsSettings, tokens: AccessTokenProvider) {
    this.settings = settings;
    this.tokens = tokens;
  }

  /**
   * A token may expire between two requests. The request is sent once more with another one, because nothing of a request with a
   * rejected token is applied.
   */
  async call(context: ConnectorContext, account: AccountOfCall, operation: string, body: unknown): Promise<CampaignAnswer> {
    const token = await this.tokens.accessToken(context.signal);
    const first = await this.send(context, account, operation, body, token);
    if (first.status !== 401) return read(first, false);
    await first.text();
    const renewed = await this.tokens.accessToken(context.signal, { refused: token });
    return read(await this.send(context, account, operation, body, renewed), true);
  }

  private send(
    context: ConnectorContext,
    { accountId, customerId }: AccountOfCall,
    operation: string,
    json: unknown,
    token: string,
  ): Promise<HttpAnswer> {
    const { campaignManagementUrl: baseUrl, developerToken } = this.settings;
    const http = { baseUrl, serviceName: 'Microsoft Advertising', requestIdHeader: 'TrackingId' };
    return sendRequest(http, context, {
      method: 'POST',
      path: `/CampaignManagement/v13/${operation}`,
      headers: {
        authorization: `Bearer ${token}`,
        DeveloperToken: developerToken,
        CustomerAccountId: accountId,
        CustomerId: customerId,
      },
      json,
    });
  }
}

async function read(answer: HttpAnswer, isTokenRenewed: boolean): Promise<CampaignAnswer> {
  const text = await answer.text();
  if (answer.status === 200) return { failure: null, body: parseJson(text), requestId: answer.requestId };
  return { failure: { ...readFailure(answer.status, answer.headers, text), isTokenRenewed } };
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
