import { Inject, Injectable } from '@nestjs/common';
import { AnalyticsService, whatHappened } from '../analytics/analytics.service.js';
import { AuditService } from '../audit/audit.service.js';
import type { AdAccount } from '../connectors/kit/contract.js';
import type { TokenGrant } from '../connectors/kit/oauth.js';
import { type App, Prisma } from '../generated/prisma/client.js';
import { ENV, type Env } from '../platform/env.js';
import { asProblem } from '../platform/failures.js';
import { notFound, Problem } from '../platform/problem.js';
import { queryWithin, TenantDoor } from '../platform/tenant.js';
import { AppCredentials } from './app-credentials.js';
import { AppHistory } from './app-history.service.js';
import type { CatchUpCount } from './app-use.dto.js';
import { AppUseQueries } from './app-use.queries.js';
import type { Applicant } from './applicant.js';
import type { CompleteOauthBody } from './apps.dto.js';
import { Connectors } from './connectors.service.js';
import { nextProbeAt, stateWith } from './expiry.js';
import { isSource, redirectUri } from './oauth-landing.js';
import { OauthStates, type UsedState } from './oauth-states.js';
import { Reconnections } from './reconnections.service.js';
import { compareUsers, isOtherUser, ReviewGrant } from './review-grant.js';
import { storedAccounts } from './stored-accounts.js';

const PROVIDER_TIMEOUT_MS = 30_000;

export interface Authorized {
  appId: string;
  returnTo: string | null;
  isReconnect: boolean;
  catchUp: CatchUpCount;
}

/** The OAuth code flow with PKCE: from the code to an app that can be read. Nothing is stored before all of it is right. */
@Injectable()
export class AuthorizeApp {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDoor,
    private readonly states: OauthStates,
    private readonly credentials: AppCredentials,
    private readonly review: ReviewGrant,
    private readonly connectors: Connectors,
    private readonly queries: AppUseQueries,
    private readonly audit: AuditService,
    private readonly history: AppHistory,
    private readonly reconnections: Reconnections,
    private readonly analytics: AnalyticsService,
  ) {}

  async complete(applicant: Applicant, body: CompleteOauthBody): Promise<Authorized> {
    const state = await this.states.use(applicant, body.state);
    const app = await this.getApp(applicant.organizationId, state.appId);
    if (!body.code || body.error) throw denied(this.connectors.getEntry(app.provider).name, body.error);
    const signal = AbortSignal.timeout(PROVIDER_TIMEOUT_MS);
    try {
      const request = { code: body.code, redirectUri: redirectUri(this.env, app.provider), codeVerifier: state.codeVerifier };
      const grant = await this.connectors.getOauth(app.provider).exchangeCode(request, signal);
      await this.review.assertScopes(app, grant);
      const accounts = await this.review.listAccounts(app, grant, signal);
      if (isOtherUser(app, grant)) throw await this.refuseOtherUser(applicant, app, state, grant, accounts);
      return await this.finish(applicant, app, state.returnTo, grant, accounts);
    } catch (error) {
      throw asProblem(error);
    }
  }

  /** The other user is meant: what was held is taken as if nobody had been connected before. */
  async acceptOtherUser(applicant: Applicant, state: string): Promise<Authorized> {
    const { appId, returnTo, grant } = await this.states.take(applicant, state);
    const app = await this.getApp(applicant.organizationId, appId);
    try {
      const accounts = await this.review.listAccounts(app, grant, AbortSignal.timeout(PROVIDER_TIMEOUT_MS));
      return await this.finish(applicant, app, returnTo, grant, accounts);
    } catch (error) {
      throw asProblem(error);
    }
  }

  private async getApp(organizationId: string, id: string): Promise<App> {
    const app = await this.tenants.of(organizationId).app.findFirst({ where: { id, deletedAt: null } });
    if (!app) throw notFound('The app');
    return app;
  }

  /** A link reconnects as the user who was there, and gives nobody the choice. */
  private async refuseOtherUser(
    applicant: Applicant,
    app: App,
    state: UsedState,
    grant: TokenGrant,
    accounts: AdAccount[],
  ): Promise<Problem> {
    const otherUser = compareUsers(app, grant, accounts);
    const detail = `${app.displayName} is connected as ${otherUser.expected}; you signed in as ${otherUser.found}.`;
    const action = `Sign in as ${otherUser.expected}, or connect a new app`;
    if (!applicant.actor) return new Problem('oauth.other_user', { detail, action: `Sign in as ${otherUser.expected}` });
    await this.states.hold(applicant.organizationId, state.id, grant);
    return new Problem('oauth.other_user', { detail, action, otherUser });
  }

  private async finish(
    applicant: Applicant,
    app: App,
    returnTo: string | null,
    grant: TokenGrant,
    accounts: AdAccount[],
  ): Promise<Authorized> {
    const { organizationId, actor, uid } = applicant;
    const isReconnect = app.externalUserId !== null || app.needsReauthSince !== null;
    const wasDead = app.state === 'needs_reauth' || app.state === 'revoked';
    const catchUp = wasDead ? await this.queries.countCatchUp(organizationId, app.id) : { connections: 0, days: 0 };
    await this.save(applicant, app, grant, accounts);
    const target = { type: 'app', id: app.id, name: app.displayName };
    const action = isReconnect ? 'app.reconnected' : 'app.connected';
    await this.audit.recordIn(organizationId, actor, { action, target, after: { externalUser: grant.externalUser?.email } });
    await this.history.keep({
      organizationId,
      appId: app.id,
      event: isReconnect ? 'reconnected' : 'connected',
      ...(actor ? { actor: actor.email } : {}),
      detail: `${actor ? 'Signed in' : 'By a shared link, signed in'} as ${grant.externalUser?.email || 'a user who is not named'}.`,
    });
    if (wasDead) await this.reconnections.tell(organizationId, app.id, uid);
    return { appId: app.id, returnTo, isReconnect, catchUp };
  }

  private async save({ organizationId, uid }: Applicant, app: App, grant: TokenGrant, accounts: AdAccount[]): Promise<void> {
    const { id, provider } = app;
    // Without a new refresh token the one there is stays good; where tokens are extended themselves there is none.
    const refreshToken = grant.refreshToken ?? (isOtherUser(app, grant) ? null : await this.credentials.keptRefreshToken(app));
    const credentials = await this.credentials.sealGrant(organizationId, id, grant, refreshToken);
    await this.tenants.of(organizationId).$transaction(async (transaction) => {
      await transaction.app.update({ where: { id }, data: { ...connected(grant, accounts), credentials } });
      // An app that is connected for the first time feeds nothing yet.
      if (!app.credentials && !app.needsReauthSince) return;
      const name = isSource(provider) ? 'Source Reauthenticated' : 'Destination Reauthenticated';
      await this.analytics.raise(queryWithin(transaction, organizationId), whatHappened(name, { organizationId, uid }, provider));
    });
  }
}

function connected(grant: TokenGrant, accounts: AdAccount[]): Prisma.AppUpdateInput {
  const now = new Date();
  return {
    state: stateWith(grant.signInAgainAt),
    failure: Prisma.DbNull,
    needsReauthSince: null,
    refreshFailingSince: null,
    refreshRefusals: 0,
    refreshRefusedAt: null,
    credentialHint: grant.externalUser?.email ?? null,
    externalUser: grant.externalUser?.email ?? null,
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
