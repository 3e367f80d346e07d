import { Inject, Injectable } from '@nestjs/common';
import { Alerts } from '../../alerts/index.js';
import { AnalyticsService, whatHappened } from '../../analytics/index.js';
import { AppHistory, AuditService } from '../../audit/index.js';
import type { AdAccount } from '../../connectors/kit/contract.js';
import type { TokenGrant } from '../../connectors/kit/oauth/oauth.js';
import { withinTime } from '../../connectors/kit/within-time.js';
import { type App, Prisma } from '../../generated/prisma/client.js';
import { ENV, type Env } from '../../core/config/env.js';
import { WAITS, type Waits } from '../../core/config/waits.js';
import { asProblem } from '../../core/http/failures.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { queryWithin, type TenantClient, TenantDatabase } from '../../core/database/tenant-database.js';
import { DomainEvents } from '../../core/jobs/domain-events.js';
import { AppCredentials } from '../credentials/app-credentials.js';
import type { CatchUpCount } from '../app-use.dto.js';
import { AppUseQueries } from '../app-use.queries.js';
import type { OAuthRequester } from './oauth-requester.js';
import type { CompleteOauthBody } from '../apps.dto.js';
import { assertStillAllowed } from './assert-still-allowed.js';
import { Connectors } from '../../catalog/index.js';
import { nextProbeAt, connectedState } from '../expiry.js';
import { isSource, redirectUri } from './oauth-landing.js';
import { OauthStates, type UsedState } from './oauth-states.js';
import { matchUser, ReviewGrant, wasConnected } from './review-grant.js';
import { useShareLink } from '../share-links/use-share-link.js';
import { storedAccounts } from '../stored-accounts.js';

export interface Authorized {
  appId: string;
  returnTo: string | null;
  isReconnect: boolean;
  catchUp: CatchUpCount;
}

/** The OAuth code flow with PKCE, from the code to a connected app. Stores nothing until all checks have passed. */
@Injectable()
export class AuthorizeApp {
  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(WAITS) private readonly waits: Waits,
    private readonly tenants: TenantDatabase,
    private readonly states: OauthStates,
    private readonly credentials: AppCredentials,
    private readonly review: ReviewGrant,
    private readonly connectors: Connectors,
    private readonly queries: AppUseQueries,
    private readonly audit: AuditService,
    private readonly history: AppHistory,
    private readonly events: DomainEvents,
    private readonly analytics: AnalyticsService,
    private readonly alerts: Alerts,
  ) {}

  async complete(requester: OAuthRequester, body: CompleteOauthBody): Promise<Authorized> {
    const state = await this.states.use(requester, body.state);
    const app = await this.getApp(requester.organizationId, state.appId);
    if (!body.code || body.error) throw denied(this.connectors.getEntry(app.provider).name, body.error);
    const request = { code: body.code, redirectUri: redirectUri(this.env, app.provider), codeVerifier: state.codeVerifier };
    try {
      const { grant, accounts } = await this.withinTime(app, async (signal) => {
        const granted = await this.connectors.getOauth(app.provider).exchangeCode(request, signal);
        this.review.assertLinkUser(requester, app, granted);
        await this.review.assertScopes(requester, app, granted);
        return { grant: granted, accounts: await this.review.listAccounts(app, granted, signal) };
      });
      const otherUser = await this.review.findOtherUser(requester, app, grant, accounts);
      if (otherUser) throw await this.storeForMember(requester, state, grant, otherUser);
      return await this.finish(requester, app, state.returnTo, grant, accounts);
    } catch (error) {
      throw asProblem(error);
    }
  }

  /** The member accepts the other user: the stored grant is used like the grant of a first sign-in. */
  async acceptOtherUser(requester: OAuthRequester, state: string): Promise<Authorized> {
    const { appId, returnTo, grant } = await this.states.take(requester, state);
    const app = await this.getApp(requester.organizationId, appId);
    try {
      const accounts = await this.withinTime(app, (signal) => this.review.listAccounts(app, grant, signal));
      return await this.finish(requester, app, returnTo, grant, accounts);
    } catch (error) {
      throw asProblem(error);
    }
  }

  private withinTime<Result>({ provider }: App, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const serviceName = this.connectors.getEntry(provider).name;
    const milliseconds = this.waits.providerTimeoutMs;
    return withinTime({ serviceName, milliseconds, action: 'Sign in again in a few minutes' }, work);
  }

  private async getApp(organizationId: string, id: string): Promise<App> {
    const app = await this.tenants.of(organizationId).app.findFirst({ where: { id, deletedAt: null } });
    if (!app) throw notFound('The app');
    return app;
  }

  /** Stores the grant, so that a member can accept it. The holder of a link cannot accept another user. */
  private async storeForMember(
    requester: OAuthRequester,
    state: UsedState,
    grant: TokenGrant,
    otherUser: Problem,
  ): Promise<Problem> {
    if (requester.actor) await this.states.hold(requester.organizationId, state.id, grant);
    return otherUser;
  }

  private async finish(
    requester: OAuthRequester,
    app: App,
    returnTo: string | null,
    grant: TokenGrant,
    accounts: AdAccount[],
  ): Promise<Authorized> {
    const { organizationId } = requester;
    const isReconnect = wasConnected(app) || app.needsReauthSince !== null;
    const neededReauth = app.state === 'needs_reauth' || app.state === 'revoked';
    const catchUp = neededReauth ? await this.queries.countCatchUp(organizationId, app.id) : { connections: 0, days: 0 };
    await this.save(requester, app, grant, accounts, { isReconnect, neededReauth });
    return { appId: app.id, returnTo, isReconnect, catchUp };
  }

  private async save(
    requester: OAuthRequester,
    app: App,
    grant: TokenGrant,
    accounts: AdAccount[],
    { isReconnect, neededReauth }: { isReconnect: boolean; neededReauth: boolean },
  ): Promise<void> {
    const { organizationId, shareLinkId, uid } = requester;
    const { id } = app;
    const isSame = matchUser(app, grant) === 'same';
    // Without a new refresh token the same user's old one stays valid. Platforms that extend access tokens have none.
    const refreshToken = grant.refreshToken ?? (isSame ? await this.credentials.storedRefreshToken(app) : null);
    const credentials = await this.credentials.encryptGrant(organizationId, id, grant, refreshToken);
    // The provider may omit the e-mail address of the same user.
    const email = grant.externalUser?.email || (isSame ? app.externalUser : null);
    await this.tenants.write(organizationId, async (transaction, query) => {
      if (shareLinkId) await useShareLink(transaction, shareLinkId);
      if (requester.actor) await assertStillAllowed(query, requester.actor);
      const { count } = await transaction.app.updateMany({
        where: { id, deletedAt: null },
        data: { ...connected(grant, accounts), externalUser: email, credentialHint: email, credentials },
      });
      if (count === 0) throw notFound('The app');
      await this.alerts.recover(query, organizationId, id, ['app.needs_reauth']);
      await this.record(transaction, requester, app, email, isReconnect);
      if (neededReauth) await this.events.emit(query, 'app.reconnected', { organizationId, appId: id, actor: uid });
    });
  }

  private async record(
    transaction: Pick<TenantClient, 'appEvent' | '$queryRawUnsafe'>,
    { organizationId, actor, uid }: OAuthRequester,
    app: App,
    email: string | null,
    isReconnect: boolean,
  ): Promise<void> {
    const { id, provider, displayName } = app;
    const query = queryWithin(transaction, organizationId);
    const target = { type: 'app', id, name: displayName };
    const action = isReconnect ? 'app.reconnected' : 'app.connected';
    await this.audit.recordIn(organizationId, actor, { action, target, after: { externalUser: email } }, query);
    const event = {
      organizationId,
      appId: id,
      event: isReconnect ? ('reconnected' as const) : ('connected' as const),
      ...(actor ? { actor: actor.email } : {}),
      detail: `${actor ? 'Signed in' : 'Signed in with a shared link'} as ${email || 'an unnamed user'}.`,
    };
    await this.history.record(event, transaction);
    // An app that is connected for the first time is not used yet.
    if (!app.credentials && !app.needsReauthSince) return;
    const name = isSource(provider) ? 'Source Reauthenticated' : 'Destination Reauthenticated';
    await this.analytics.raise(query, whatHappened(name, { organizationId, uid }, provider));
  }
}

function connected(grant: TokenGrant, accounts: AdAccount[]): Prisma.AppUpdateManyMutationInput {
  const now = new Date();
  return {
    state: connectedState(grant.signInAgainAt),
    failure: Prisma.DbNull,
    needsReauthSince: null,
    refreshFailingSince: null,
    refreshRefusals: 0,
    refreshRefusedAt: null,
    externalUserId: grant.externalUser?.id ?? null,
    grantedScopes: grant.grantedScopes,
    missingScopes: [],
    accounts: storedAccounts(accounts),
    accountsListedAt: now,
    lastProbeAt: now,
    nextProbeAt: nextProbeAt(now),
    lastRefreshAt: now,
    accessExpiresAt: grant.expiresAt,
    signInAgainAt: grant.signInAgainAt,
    version: { increment: 1 },
  };
}

const denied = (providerName: string, error: string | undefined): Problem =>
  new Problem('oauth.denied', {
    detail:
      error && error !== 'access_denied'
        ? `${providerName} did not grant access (${error.slice(0, 80)}).`
        : 'You did not grant access, so nothing was connected.',
    action: 'Sign in again and allow access',
  });
