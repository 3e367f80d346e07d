import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { DestinationAccess, SourceSettings } from '../connectors/kit/connector.js';
import type { AccessTokenProvider, AdAccount, Quota, Source } from '../connectors/kit/contract.js';
import { FixSettings, ReconnectNeeded, RetryLater } from '../connectors/kit/errors.js';
import type { StoredToken, TokenGrant } from '../connectors/kit/oauth.js';
import type { App, Prisma, Provider } from '../generated/prisma/client.js';
import { toFailure } from '../platform/failures.js';
import { notFound } from '../platform/problem.js';
import { Secrets } from '../platform/secrets.js';
import { type TenantClient, TenantDoor } from '../platform/tenant.js';
import { Connectors } from './connectors.service.js';

const oauthCredentials = z.object({ accessToken: z.string(), refreshToken: z.string().nullable(), expiresAt: z.string() });
const typedCredentials = z.record(z.string(), z.unknown());
type OauthCredentials = z.infer<typeof oauthCredentials>;

/** A token with less than this left is not handed out: the request it is for takes time too. */
const EXPIRY_MARGIN_MS = 60_000;
/** The row stays locked while the provider answers a refresh, so that a rotated token is stored before anybody uses it. */
const REFRESH_TRANSACTION_MS = 45_000;

/** Opens an app's credentials for the rooms that talk to its provider, and keeps them alive. */
@Injectable()
export class AppAccess {
  constructor(
    private readonly tenants: TenantDoor,
    private readonly secrets: Secrets,
    private readonly connectors: Connectors,
  ) {}

  /** The app's provider, ready to be read with a token that is refreshed when it must be. */
  openSource(app: Pick<App, 'organizationId' | 'id' | 'provider'>, settings: SourceSettings = {}): Source {
    return this.connectors.getSource(app.provider).open(this.tokens(app.organizationId, app.id), settings);
  }

  /** What a destination of the app is opened with. */
  async openDestinationAccess(organizationId: string, appId: string): Promise<DestinationAccess> {
    const app = await this.getApp(this.tenants.of(organizationId), appId);
    if (app.authMode === 'oauth2') return { authMode: 'oauth2', accessToken: this.tokens(organizationId, appId) };
    return { authMode: app.authMode, credentials: typedCredentials.parse(await this.open(app)) };
  }

  sealCredentials(organizationId: string, appId: string, credentials: Record<string, unknown>): Promise<string> {
    return this.secrets.seal(place(organizationId, appId), credentials);
  }

  sealGrant(organizationId: string, appId: string, grant: TokenGrant, refreshToken: string | null): Promise<string> {
    const credentials: OauthCredentials = {
      accessToken: grant.accessToken,
      refreshToken,
      expiresAt: grant.expiresAt.toISOString(),
    };
    return this.secrets.seal(place(organizationId, appId), credentials);
  }

  async storedToken(app: App): Promise<StoredToken> {
    return oauthCredentials.parse(await this.open(app));
  }

  /** Of an app that is dead already too: signing in again may give a new access token alone. */
  async keptRefreshToken(app: App): Promise<string | null> {
    if (!app.credentials) return null;
    return oauthCredentials.parse(await this.secrets.open(place(app.organizationId, app.id), app.credentials)).refreshToken;
  }

  async saveQuota(organizationId: string, appId: string, { usedPercent, resetAt }: Quota): Promise<void> {
    const quota = { usedPercent, resetAt: resetAt?.toISOString() ?? null, at: new Date().toISOString() };
    await this.tenants.of(organizationId).app.updateMany({ where: { id: appId }, data: { quota } });
  }

  /** The app is dead until somebody signs in again; everything that uses it says so. */
  async markNeedsReauth(organizationId: string, appId: string, error: ReconnectNeeded): Promise<void> {
    await this.tenants.of(organizationId).app.updateMany({
      where: { id: appId, state: { in: ['connected', 'expiring', 'needs_reauth'] } },
      data: { state: 'needs_reauth', failure: { ...toFailure(error) } },
    });
  }

  async saveAccounts(organizationId: string, appId: string, accounts: AdAccount[]): Promise<void> {
    const now = new Date();
    await this.tenants.of(organizationId).app.updateMany({
      where: { id: appId },
      data: { accounts: accounts as unknown as Prisma.InputJsonValue, accountsListedAt: now, lastProbeAt: now },
    });
  }

  private tokens(organizationId: string, appId: string): AccessTokenProvider {
    let current: OauthCredentials | undefined;
    return {
      accessToken: async (signal, options) => {
        const refused = options?.isRefreshForced ? current?.accessToken : undefined;
        if (!current || !lasts(current, EXPIRY_MARGIN_MS) || refused !== undefined)
          current = await this.refresh(organizationId, appId, refused, signal);
        return current.accessToken;
      },
    };
  }

  /** Renews a token that has less left than its provider wants, and gives the one that is good now. */
  async refresh(
    organizationId: string,
    appId: string,
    refused: string | undefined,
    signal: AbortSignal,
  ): Promise<OauthCredentials> {
    try {
      return await this.tenants
        .of(organizationId)
        .$transaction((transaction) => this.refreshLocked(transaction, organizationId, appId, refused, signal), {
          timeout: REFRESH_TRANSACTION_MS,
          maxWait: REFRESH_TRANSACTION_MS,
        });
    } catch (error) {
      if (error instanceof ReconnectNeeded) await this.markNeedsReauth(organizationId, appId, error);
      throw error;
    }
  }

  private async refreshLocked(
    transaction: Pick<TenantClient, 'app' | '$queryRaw'>,
    organizationId: string,
    appId: string,
    refused: string | undefined,
    signal: AbortSignal,
  ): Promise<OauthCredentials> {
    await transaction.$queryRaw`select 1 from apps where organization_id = ${organizationId}::uuid and id = ${appId}::uuid for update`;
    const app = await this.getApp(transaction, appId);
    const oauth = this.connectors.getOauth(app.provider);
    const stored = oauthCredentials.parse(await this.open(app));
    // Whoever held the lock before us may have refreshed it already.
    if (lasts(stored, oauth.refreshMarginMs) && stored.accessToken !== refused) return stored;
    const grant = await this.grantOrNull(app.provider, stored, refused, signal);
    if (!grant) return stored;
    const refreshToken = grant.refreshToken ?? stored.refreshToken;
    await transaction.app.update({
      where: { id: appId },
      data: {
        credentials: await this.sealGrant(organizationId, appId, grant, refreshToken),
        accessExpiresAt: grant.expiresAt,
        ...(grant.signInAgainAt ? { signInAgainAt: grant.signInAgainAt } : {}),
        lastRefreshAt: new Date(),
      },
    });
    return { accessToken: grant.accessToken, refreshToken, expiresAt: grant.expiresAt.toISOString() };
  }

  /** Null: the provider has a passing fault, and the token there is still lives. */
  private async grantOrNull(
    provider: Provider,
    stored: OauthCredentials,
    refused: string | undefined,
    signal: AbortSignal,
  ): Promise<TokenGrant | null> {
    try {
      return await this.connectors.getOauth(provider).refresh(stored, signal);
    } catch (error) {
      if (error instanceof RetryLater && lasts(stored, EXPIRY_MARGIN_MS) && stored.accessToken !== refused) return null;
      throw error;
    }
  }

  private async getApp(client: Pick<TenantClient, 'app'>, appId: string): Promise<App> {
    const app = await client.app.findFirst({ where: { id: appId, deletedAt: null } });
    if (!app) throw notFound('The app');
    return app;
  }

  private open(app: App): Promise<unknown> {
    if (app.state === 'needs_reauth' || app.state === 'revoked') throw deadApp(app, this.connectors.nameOf(app.provider));
    if (!app.credentials) {
      throw new FixSettings({
        code: 'app.not_connected',
        message: `${app.displayName} has never been connected.`,
        action: 'Connect the app',
      });
    }
    return this.secrets.open(place(app.organizationId, app.id), app.credentials);
  }
}

const place = (organizationId: string, appId: string) => ({ organizationId, table: 'apps', column: 'credentials', rowId: appId });

const lasts = (credentials: OauthCredentials, marginMs: number): boolean =>
  Date.parse(credentials.expiresAt) - marginMs > Date.now();

/** Says what was found when it died, not only that it is dead. */
function deadApp(app: App, providerName: string): ReconnectNeeded {
  const failure = app.failure as { code?: string; message?: string } | null;
  return new ReconnectNeeded({
    code: failure?.code ?? 'app.needs_reauth',
    message: failure?.message ?? `${app.displayName} must be connected again.`,
    action: `Reconnect with ${providerName}`,
  });
}
