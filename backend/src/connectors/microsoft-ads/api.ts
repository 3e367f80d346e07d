import { z } from 'zod';
import type { AccessTokenProvider, AdAccount, ConnectorContext } from '../kit/contract.js';
import { CorruptAnswer, ReconnectNeeded } from '../kit/errors.js';
import { sendRequest } from '../kit/http.js';
import { NOTHING_TO_DO } from '../kit/error-table.js';
import { refusedCredentials, refusedDeveloperToken, toConnectorError } from './errors.js';
import { readFailure } from '../kit/microsoft-failure.js';
import type { MicrosoftAdsSettings } from './settings.js';
import { API_VERSION } from './version.js';

/** The account of a call: its id, and the customer that owns it. */
export type AccountOfCall = Pick<AdAccount, 'externalId' | 'managerId'>;

/** The only supported version. */

interface Call<Answer> {
  baseUrl: string;
  /** Service name before the version, such as `CustomerManagement`. */
  service: string;
  operation: string;
  body: unknown;
  account: AccountOfCall | null;
  answer: z.ZodType<Answer>;
}

const id = z.union([z.string().regex(/^\d+$/), z.number().int().transform(String)]);

const userAnswer = z.object({ User: z.object({ Id: id, UserName: z.string().nullish() }) });
const accountsAnswer = z.object({
  Accounts: z
    .array(
      z.object({
        Id: id,
        Name: z.string().nullish(),
        ParentCustomerId: id,
        CurrencyCode: z.string().nullish(),
        TimeZone: z.string().nullish(),
        AccountLifeCycleStatus: z.string().nullish(),
      }),
    )
    .nullish(),
});
const goalsAnswer = z.object({
  ConversionGoals: z
    .array(z.object({ Status: z.string().nullish(), ConversionWindowInMinutes: z.number().nullish() }).nullable())
    .nullish(),
});
const customersAnswer = z.object({
  CustomersInfo: z.array(z.object({ Id: id, Name: z.string().nullish() }).nullable()).nullish(),
});
const submitAnswer = z.object({ ReportRequestId: z.string().min(1) });
const pollAnswer = z.object({
  ReportRequestStatus: z.object({ Status: z.enum(['Pending', 'Success', 'Error']), ReportDownloadUrl: z.url().nullish() }),
});

export type ListedAccount = NonNullable<z.infer<typeof accountsAnswer>['Accounts']>[number];
export type ReportStatus = z.infer<typeof pollAnswer>['ReportRequestStatus'];

const goalTypes = 'Url, Duration, PagesViewedPerVisit, Event, AppInstall, OfflineConversion, InStoreTransaction, AppDownload';

/** The calls of the Microsoft Advertising REST API that reading needs. */
export class MicrosoftAdsApi {
  private readonly settings: MicrosoftAdsSettings;
  private readonly token: AccessTokenProvider;

  constructor(settings: MicrosoftAdsSettings, token: AccessTokenProvider) {
    this.settings = settings;
    this.token = token;
  }

  /** The user that the token belongs to, as identified by Microsoft Advertising. */
  async getUser(context: ConnectorContext): Promise<{ id: string; email: string }> {
    const body = { UserId: null };
    const { User } = await this.send(context, this.customerCall('User/Query', body, userAnswer));
    return { id: User.Id, email: User.UserName ?? '' };
  }

  /** One page of the user's accounts. The last page has fewer than `size`. */
  async searchAccounts(context: ConnectorContext, userId: string, index: number, size: number): Promise<ListedAccount[]> {
    const body = {
      Predicates: [{ Field: 'UserId', Operator: 'Equals', Value: userId }],
      Ordering: [{ Field: 'Id', Order: 'Ascending' }],
      PageInfo: { Index: index, Size: size },
      ReturnAdditionalFields: null,
    };
    return (await this.send(context, this.customerCall('Accounts/Search', body, accountsAnswer))).Accounts ?? [];
  }

  /** Names of the customers that own accounts, by id. */
  async listCustomers(context: ConnectorContext): Promise<Map<string, string>> {
    const body = { CustomerNameFilter: '', TopN: 1_000 };
    const { CustomersInfo } = await this.send(context, this.customerCall('CustomersInfo/Query', body, customersAnswer));
    return new Map((CustomersInfo ?? []).flatMap((customer) => (customer ? [[customer.Id, customer.Name ?? customer.Id]] : [])));
  }

  /** Conversion windows, in minutes, of the account's active goals. */
  async listGoalWindows(context: ConnectorContext, account: AccountOfCall): Promise<number[]> {
    const { ConversionGoals } = await this.send(context, {
      baseUrl: this.settings.campaignManagementUrl,
      service: 'CampaignManagement',
      operation: 'ConversionGoals/QueryByIds',
      body: { ConversionGoalIds: null, ConversionGoalTypes: goalTypes },
      account,
      answer: goalsAnswer,
    });
    const active = (ConversionGoals ?? []).filter((goal) => goal?.Status === 'Active');
    return active.flatMap((goal) => goal?.ConversionWindowInMinutes ?? []);
  }

  /** Requests a report. Returns its id. */
  async submitReport(context: ConnectorContext, account: AccountOfCall, request: unknown): Promise<string> {
    const body = { ReportRequest: request };
    return (await this.send(context, this.reportCall('Submit', body, account, submitAnswer))).ReportRequestId;
  }

  async pollReport(context: ConnectorContext, account: AccountOfCall, reportId: string): Promise<ReportStatus> {
    const body = { ReportRequestId: reportId };
    return (await this.send(context, this.reportCall('Poll', body, account, pollAnswer))).ReportRequestStatus;
  }

  private customerCall<Answer>(operation: string, body: unknown, answer: z.ZodType<Answer>): Call<Answer> {
    const baseUrl = this.settings.customerManagementUrl;
    return { baseUrl, service: 'CustomerManagement', operation, body, account: null, answer };
  }

  private reportCall<Answer>(step: string, body: unknown, account: AccountOfCall, answer: z.ZodType<Answer>): Call<Answer> {
    const operation = `GenerateReport/${step}`;
    return { baseUrl: this.settings.reportingUrl, service: 'Reporting', operation, body, account, answer };
  }

  /** A valid token may expire between two requests. The request is retried once with a fresh token. */
  private async send<Answer>(context: ConnectorContext, call: Call<Answer>): Promise<Answer> {
    const token = await this.token.accessToken(context.signal);
    try {
      return await this.sendOnce(context, call, token);
    } catch (error) {
      if (!(error instanceof ReconnectNeeded) || !freshTokenMayHelp.has(error.code)) throw error;
    }
    const fresh = await this.token.accessToken(context.signal, { refused: token });
    return this.sendOnce(context, call, fresh).catch(blamingDeveloperToken);
  }

  private async sendOnce<Answer>(context: ConnectorContext, call: Call<Answer>, token: string): Promise<Answer> {
    const { account, baseUrl, service, operation, body, answer: schema } = call;
    const http = { baseUrl, serviceName: 'Microsoft Advertising', requestIdHeader: 'TrackingId' };
    const answer = await sendRequest(http, context, {
      method: 'POST',
      path: `/${service}/${API_VERSION.name}/${operation}`,
      headers: {
        authorization: `Bearer ${token}`,
        DeveloperToken: this.settings.developerToken,
        ...(account && { CustomerAccountId: account.externalId, CustomerId: account.managerId ?? '' }),
      },
      json: body,
    });
    const text = await answer.text();
    if (answer.status !== 200) throw toConnectorError(readFailure(answer.status, answer.headers, text), account !== null);
    return check(schema, text, answer.requestId);
  }
}

const INVALID_CREDENTIALS = 'microsoft_ads.invalid_credentials';
const UNEXPLAINED = 'microsoft_ads.credentials_refused';

/** Translates the failure of a call with a token that was just renewed. */
function blamingDeveloperToken(error: unknown): never {
  if (!(error instanceof ReconnectNeeded)) throw error;
  if (error.code === INVALID_CREDENTIALS) throw refusedDeveloperToken(error.providerRequestId);
  if (error.code === UNEXPLAINED) throw refusedCredentials(error.providerRequestId);
  throw error;
}

const freshTokenMayHelp = new Set([
  'microsoft_ads.authentication_token_expired',
  INVALID_CREDENTIALS,
  UNEXPLAINED,
  'microsoft_ads.http_401',
]);

function check<Answer>(schema: z.ZodType<Answer>, text: string, requestId: string | null): Answer {
  const checked = schema.safeParse(parseJson(text));
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  throw new CorruptAnswer({
    code: 'microsoft_ads.unexpected_value',
    message: `Microsoft Advertising sent an unexpected value at ${issue?.path.join('.') || 'the top level'}: ${issue?.message ?? 'unknown'}.`,
    action: NOTHING_TO_DO,
    providerRequestId: requestId,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
