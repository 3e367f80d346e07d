import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { ApiKeyProvider, DestinationCredentials, SourceSettings } from '../../connectors/kit/connector.js';
import type { AccessTokenProvider, AdAccount, Quota, Source } from '../../connectors/kit/contract.js';
import { CredentialsRequired, type ReconnectNeeded } from '../../connectors/kit/errors.js';
import type { App } from '../../generated/prisma/client.js';
import type { Failure } from '../../core/http/failure.dto.js';
import { toJson } from '../../core/database/json-column.js';
import { notFound } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import { AppCredentials, findStoredApp, type OauthCredentials, type StoredApp } from './app-credentials.js';
import { Alerts } from '../../alerts/index.js';
import { AppHistory } from '../../audit/index.js';
import { Connectors } from '../../catalog/index.js';
import { PushedEventsSource } from '../../custom-apps/index.js';
import { markNeedsReauth } from './mark-needs-reauth.js';
import { EXPIRY_MARGIN_MS, isValidFor, RefreshToken } from './refresh-token.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { saveAccountsWithin } from './save-accounts.js';

/** Opens an app's credentials for modules that call its provider, and refreshes its tokens. */
@Injectable()
export class AuthorizedApps {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly credentials: AppCredentials,
    private readonly refreshToken: RefreshToken,
    private readonly connectors: Connectors,
    private readonly history: AppHistory,
    private readonly alerts: Alerts,
    private readonly pushedEvents: PushedEventsSource,
    private readonly events: DomainEvents,
  ) {}

  /** Opens a source of the app's provider. Its token is refreshed when needed. */
  openSource(app: Pick<App, 'organizationId' | 'id' | 'provider'>, settings: SourceSettings = {}): Source {
    if (app.provider === 'custom') return this.pushedEvents.open(app.organizationId, app.id);
    const keySource = this.connectors.findKeySource(app.provider);
    if (keySource) return keySource.open(this.keyOf(app), settings);
    return this.connectors.getPlatform(app.provider).open(this.tokensOf(app.organizationId, app.id), settings);
  }

  /** Opens the credentials of a destination. Stored credentials are only used for the target that they were saved for. */
  async openDestinationCredentials(
    organizationId: string,
    appId: string,
    settings: Record<string, unknown>,
  ): Promise<DestinationCredentials> {
    const app = await findStoredApp(this.tenants, organizationId, appId);
    // A custom app has no credentials and cannot be used by a destination.
    if (!app || app.authMode === 'push_key' || app.authMode === 'api_key') throw notFound('The app');
    if (app.authMode === 'oauth2') return { authMode: 'oauth2', accessToken: this.tokensOf(organizationId, appId) };
    const target = this.connectors.getDestination(app.provider).credentialTarget(settings);
    if (!isDeepStrictEqual(app.credentialTarget, target)) throw credentialsRequired(app);
    return { authMode: app.authMode, credentials: await this.credentials.decryptTyped(app) };
  }

  /** The entered key of an app. It is decrypted once for each opening. */
  keyOf({ organizationId, id }: Pick<App, 'organizationId' | 'id'>): ApiKeyProvider {
    let key: Promise<string> | undefined;
    return { apiKey: () => (key ??= this.readKey(organizationId, id)) };
  }

  /** The entered key of an app that a conversion reads from. */
  async openKey(organizationId: string, id: string): Promise<DestinationCredentials> {
    return { authMode: 'api_key', credentials: { apiKey: await this.readKey(organizationId, id) } };
  }

  private async readKey(organizationId: string, id: string): Promise<string> {
    const app = await findStoredApp(this.tenants, organizationId, id);
    if (app?.authMode !== 'api_key') throw notFound('The app');
    return String((await this.credentials.decryptTyped(app)).apiKey);
  }

  encryptCredentials(organizationId: string, appId: string, credentials: Record<string, unknown>): Promise<string> {
    return this.credentials.encrypt(organizationId, appId, credentials);
  }

  async saveQuota(organizationId: string, appId: string, { usedPercent, resetAt }: Quota): Promise<void> {
    const quota = { usedPercent, resetAt: resetAt?.toISOString() ?? null, at: new Date().toISOString() };
    await this.tenants.of(organizationId).app.updateMany({ where: { id: appId }, data: { quota } });
  }

  /** Runs of the app wait until then instead of calling a provider that throttles it. A pause is never shortened. */
  async pauseForQuota(organizationId: string, appId: string, until: Date, reason: Failure): Promise<void> {
    await this.tenants.of(organizationId).app.updateMany({
      where: { id: appId, OR: [{ quotaPausedUntil: null }, { quotaPausedUntil: { lt: until } }] },
      data: { quotaPausedUntil: until, quotaPause: toJson(reason) },
    });
  }

  /** Called after the provider rejected the app's access. False: a user has signed in since `version`, and nothing was marked. */
  markNeedsReauth(app: Pick<App, 'organizationId' | 'id' | 'version'>, error: ReconnectNeeded): Promise<boolean> {
    const { history, alerts } = this;
    return this.tenants.write(app.organizationId, (transaction) => markNeedsReauth(transaction, { history, alerts }, app, error));
  }

  /**
   * Stores nothing if another list, such as that of a new sign-in, was stored since `app` was read.
   * @param app as it was before the accounts were requested
   * @param accounts all that the provider lists
   */
  saveAccounts(app: Pick<App, 'organizationId' | 'id' | 'accountsListedAt'>, accounts: AdAccount[]): Promise<void> {
    const { connectors, events } = this;
    const list = { listedAt: new Date(), replaces: app.accountsListedAt };
    return this.tenants.write(app.organizationId, (transaction, query) =>
      saveAccountsWithin({ transaction, query }, { connectors, events }, app, accounts, list),
    );
  }

  /** An account that a run found besides those of its source. */
  addAccount(app: Pick<App, 'organizationId' | 'id'>, account: AdAccount): Promise<void> {
    const { connectors, events } = this;
    return this.tenants.write(app.organizationId, (transaction, query) =>
      saveAccountsWithin({ transaction, query }, { connectors, events }, app, [account]),
    );
  }

  /** Tokens of an app with OAuth, refreshed when needed. */
  tokensOf(organizationId: string, id: string): AccessTokenProvider {
    let current: OauthCredentials | undefined;
    return {
      accessToken: async (signal, options) => {
        const refused = options?.refused;
        // Another call of the same run may have replaced the rejected token already.
        if (!current || !isValidFor(current, EXPIRY_MARGIN_MS) || current.accessToken === refused)
          current = await this.refreshToken.refresh({ organizationId, id }, refused, signal);
        return current.accessToken;
      },
    };
  }
}

function credentialsRequired({ provider, authMode }: StoredApp): CredentialsRequired {
  const secret = authMode === 'password' ? 'password' : 'credentials';
  return new CredentialsRequired({
    code: `${provider}.credentials_required`,
    message: `The saved ${secret} ${secret === 'password' ? 'is' : 'are'} only used for the server and user that ${secret === 'password' ? 'it was' : 'they were'} saved for.`,
    action: `Enter the ${secret} again`,
  });
}
