import { Injectable } from '@nestjs/common';
import { ConnectorError, ReconnectNeeded, RetryLater } from '../connectors/kit/errors.js';
import type { TokenGrant } from '../connectors/kit/oauth.js';
import type { App } from '../generated/prisma/client.js';
import { notFound } from '../platform/problem.js';
import { type TenantClient, TenantDoor } from '../platform/tenant.js';
import { AppCredentials, type OauthCredentials } from './app-credentials.js';
import { AppHistory } from './app-history.service.js';
import { Connectors } from './connectors.service.js';
import { markDead } from './mark-dead.js';

/** A token with less than this left is not handed out: the request it is for takes time too. */
export const EXPIRY_MARGIN_MS = 60_000;
/** The row stays locked while the provider answers a refresh, so that a rotated token is stored before anybody uses it. */
const REFRESH_TRANSACTION_MS = 45_000;
const DAY_MS = 86_400_000;
/** Refreshes that fail for this long are not a passing fault any more. */
const GIVE_UP_AFTER_MS = 4 * DAY_MS;

type Client = Pick<TenantClient, 'app' | 'appEvent' | '$queryRaw'>;
type AppId = Pick<App, 'organizationId' | 'id'>;

/** Keeps an app's tokens alive. */
@Injectable()
export class RefreshToken {
  constructor(
    private readonly tenants: TenantDoor,
    private readonly credentials: AppCredentials,
    private readonly connectors: Connectors,
    private readonly history: AppHistory,
  ) {}

  /**
   * Renews a token that has less left than its provider wants, and gives the one that is good now.
   * `refused`: the access token that the provider has just turned away, whatever its expiry says.
   */
  async refresh(app: AppId, refused: string | undefined, signal: AbortSignal): Promise<OauthCredentials> {
    const outcome = await this.tenants
      .of(app.organizationId)
      .$transaction((transaction) => this.refreshLocked(transaction, app, refused, signal), {
        timeout: REFRESH_TRANSACTION_MS,
        maxWait: REFRESH_TRANSACTION_MS,
      });
    if (outcome instanceof ConnectorError) throw outcome;
    return outcome;
  }

  /** A refusal is an outcome too: what it marks is committed under the lock, so that it cannot hit a newer sign-in. */
  private async refreshLocked(
    client: Client,
    { organizationId, id }: AppId,
    refused: string | undefined,
    signal: AbortSignal,
  ): Promise<OauthCredentials | ConnectorError> {
    await client.$queryRaw`select 1 from apps where organization_id = ${organizationId}::uuid and id = ${id}::uuid for update`;
    const app = await client.app.findFirst({ where: { id, deletedAt: null } });
    if (!app) throw notFound('The app');
    const stored = await this.credentials.openTokens(app);
    const oauth = this.connectors.getOauth(app.provider);
    const isRefused = stored.accessToken === refused;
    // Whoever held the lock before us may have refreshed it already.
    if (lasts(stored, oauth.refreshMarginMs) && !isRefused) return stored;
    // A platform that gives the same end again must not be asked before every call.
    if (lasts(stored, EXPIRY_MARGIN_MS) && !isRefused && wasRefreshedToday(app)) return stored;
    try {
      return await this.store(client, app, stored, await oauth.refresh(stored, signal));
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      const outcome = await this.keepFailure(client, app, error);
      // A passing fault, and the token there is still lives.
      return outcome instanceof RetryLater && lasts(stored, EXPIRY_MARGIN_MS) && !isRefused ? stored : outcome;
    }
  }

  private async store(client: Client, app: App, stored: OauthCredentials, grant: TokenGrant): Promise<OauthCredentials> {
    const refreshToken = grant.refreshToken ?? stored.refreshToken;
    const { organizationId, id } = app;
    await client.app.update({
      where: { id },
      data: {
        credentials: await this.credentials.sealGrant(organizationId, id, grant, refreshToken),
        accessExpiresAt: grant.expiresAt,
        ...(grant.signInAgainAt ? { signInAgainAt: grant.signInAgainAt } : {}),
        lastRefreshAt: new Date(),
        refreshFailingSince: null,
      },
    });
    await this.history.keep({ organizationId, appId: id, event: 'refreshed' }, client);
    return { accessToken: grant.accessToken, refreshToken, expiresAt: grant.expiresAt.toISOString() };
  }

  /** A dead sign-in is dead at once; everything else may pass, for four days. */
  private async keepFailure(client: Client, app: App, error: ConnectorError): Promise<ConnectorError> {
    const { organizationId, id, refreshFailingSince } = app;
    if (!(error instanceof ReconnectNeeded) && !hasFailedTooLong(refreshFailingSince)) {
      if (refreshFailingSince) return error;
      await client.app.update({ where: { id }, data: { refreshFailingSince: new Date() } });
      await this.history.keep({ organizationId, appId: id, event: 'refresh_failed', detail: error.message }, client);
      return error;
    }
    const outcome = error instanceof ReconnectNeeded ? error : this.givenUp(app, error);
    await markDead(client, this.history, app, outcome);
    return outcome;
  }

  private givenUp({ provider }: App, error: ConnectorError): ReconnectNeeded {
    const name = this.connectors.nameOf(provider);
    return new ReconnectNeeded(
      {
        code: `${provider}.refresh_given_up`,
        message: `The sign-in at ${name} could not be renewed for four days. Last: ${error.message}`,
        action: `Reconnect with ${name}`,
      },
      { cause: error },
    );
  }
}

export const lasts = (credentials: OauthCredentials, marginMs: number): boolean =>
  Date.parse(credentials.expiresAt) - marginMs > Date.now();

const wasRefreshedToday = ({ lastRefreshAt }: App): boolean =>
  lastRefreshAt !== null && Date.now() - lastRefreshAt.getTime() < DAY_MS;

const hasFailedTooLong = (since: Date | null): boolean => since !== null && since.getTime() + GIVE_UP_AFTER_MS < Date.now();
