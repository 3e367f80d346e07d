import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { googleAds, type TokenGrant } from '../connectors/catalog.js';
import type { AccessTokenProvider, AdAccount, Source } from '../connectors/kit/contract.js';
import { FixSettings, ReconnectNeeded } from '../connectors/kit/errors.js';
import type { App, Prisma } from '../generated/prisma/client.js';
import { ENV, type Env } from '../platform/env.js';
import { toFailure } from '../platform/failures.js';
import { notFound } from '../platform/problem.js';
import { Secrets } from '../platform/secrets.js';
import { type TenantClient, TenantDoor } from '../platform/tenant.js';
import { googleOAuthSettings } from './google-oauth.js';

const oauthCredentials = z.object({ accessToken: z.string(), refreshToken: z.string(), expiresAt: z.string() });
const passwordCredentials = z.object({ password: z.string() });
type OauthCredentials = z.infer<typeof oauthCredentials>;

/** A token about to end is refreshed before it is handed out: the request it is for takes time too. */
const EXPIRY_MARGIN_MS = 60_000;
/** The row stays locked while the provider answers a refresh, so that a rotated token is stored before anybody uses it. */
const REFRESH_TRANSACTION_MS = 45_000;

/** Opens an app's credentials for the rooms that talk to its provider, and keeps them alive. */
@Injectable()
export class AppAccess {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDoor,
    private readonly secrets: Secrets,
  ) {}

  /** The app's provider, ready to be read with a token that is refreshed when it must be. */
  openSource(organizationId: string, appId: string): Source {
    return this.sourceWith(this.tokens(organizationId, appId));
  }

  /** The same with a token that is not stored yet. */
  sourceWith(accessToken: AccessTokenProvider): Source {
    return googleAds.open({ baseUrl: this.env.GOOGLE_ADS_BASE_URL, apiVersion: this.env.GOOGLE_ADS_API_VERSION, accessToken });
  }

  async password(organizationId: string, appId: string): Promise<string> {
    const app = await this.getApp(this.tenants.of(organizationId), appId);
    return passwordCredentials.parse(await this.open(app)).password;
  }

  sealPassword(organizationId: string, appId: string, password: string): Promise<string> {
    return this.secrets.seal(place(organizationId, appId), { password });
  }

  sealGrant(organizationId: string, appId: string, grant: TokenGrant, refreshToken: string): Promise<string> {
    const credentials: OauthCredentials = {
      accessToken: grant.accessToken,
      refreshToken,
      expiresAt: grant.expiresAt.toISOString(),
    };
    return this.secrets.seal(place(organizationId, appId), credentials);
  }

  async refreshToken(app: App): Promise<string> {
    return oauthCredentials.parse(await this.open(app)).refreshToken;
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
        if (!current || !isAlive(current) || refused !== undefined)
          current = await this.refresh(organizationId, appId, refused, signal);
        return current.accessToken;
      },
    };
  }

  private async refresh(
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
    const stored = oauthCredentials.parse(await this.open(app));
    // Whoever held the lock before us may have refreshed it already.
    if (isAlive(stored) && stored.accessToken !== refused) return stored;
    const grant = await googleAds.refreshAccess(googleOAuthSettings(this.env), stored.refreshToken, signal);
    const refreshToken = grant.refreshToken ?? stored.refreshToken;
    await transaction.app.update({
      where: { id: appId },
      data: {
        credentials: await this.sealGrant(organizationId, appId, grant, refreshToken),
        accessExpiresAt: grant.expiresAt,
        lastRefreshAt: new Date(),
      },
    });
    return { accessToken: grant.accessToken, refreshToken, expiresAt: grant.expiresAt.toISOString() };
  }

  private async getApp(client: Pick<TenantClient, 'app'>, appId: string): Promise<App> {
    const app = await client.app.findFirst({ where: { id: appId, deletedAt: null } });
    if (!app) throw notFound('The app');
    return app;
  }

  private open(app: App): Promise<unknown> {
    if (app.state === 'needs_reauth' || app.state === 'revoked') throw deadApp(app);
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

const isAlive = (credentials: OauthCredentials): boolean => Date.parse(credentials.expiresAt) - EXPIRY_MARGIN_MS > Date.now();

/** Says what was found when it died, not only that it is dead. */
function deadApp(app: App): ReconnectNeeded {
  const failure = app.failure as { code?: string; message?: string } | null;
  return new ReconnectNeeded({
    code: failure?.code ?? 'app.needs_reauth',
    message: failure?.message ?? `${app.displayName} must be connected again.`,
    action: 'Reconnect with Google',
  });
}
