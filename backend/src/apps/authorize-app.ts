import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../access/access.decorator.js';
import { AnalyticsService, whatHappened } from '../analytics/analytics.service.js';
import { AuditService } from '../audit/audit.service.js';
import type { AdAccount } from '../connectors/kit/contract.js';
import { ReconnectNeeded } from '../connectors/kit/errors.js';
import { missingScopes, type TokenGrant } from '../connectors/kit/oauth.js';
import { type App, type OauthState, Prisma } from '../generated/prisma/client.js';
import { ENV, type Env } from '../platform/env.js';
import { asProblem } from '../platform/failures.js';
import { newId } from '../platform/identifiers.js';
import { notFound, Problem } from '../platform/problem.js';
import { Secrets } from '../platform/secrets.js';
import { queryWithin, TenantDoor } from '../platform/tenant.js';
import { AppAccess } from './app-access.service.js';
import type { CompleteOauthBody, OauthStart, StartOauthBody } from './apps.dto.js';
import { Connectors } from './connectors.service.js';
import { isSource, redirectUri } from './oauth-landing.js';
import { OauthStateSigner, STATE_LIFETIME_SECONDS, stateExpired } from './oauth-state.js';
import { Reconnections } from './reconnections.service.js';

const PROVIDER_TIMEOUT_MS = 30_000;

/** The OAuth code flow with PKCE: from the button to an app that can be read. Nothing is stored before all of it is right. */
@Injectable()
export class AuthorizeApp {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDoor,
    private readonly secrets: Secrets,
    private readonly states: OauthStateSigner,
    private readonly access: AppAccess,
    private readonly connectors: Connectors,
    private readonly audit: AuditService,
    private readonly reconnections: Reconnections,
    private readonly analytics: AnalyticsService,
  ) {}

  async start(actor: Actor, appId: string, body: StartOauthBody): Promise<OauthStart> {
    const tenant = this.tenants.of(actor.organizationId);
    const app = await tenant.app.findFirst({ where: { id: appId, deletedAt: null, authMode: 'oauth2' } });
    if (!app) throw notFound('The app');
    const id = newId();
    const isReconnect = app.state === 'needs_reauth' || app.state === 'expiring' || app.state === 'connected';
    const state = await this.states.sign({ jti: id, sub: actor.uid, organizationId: actor.organizationId, appId, isReconnect });
    const authorization = await this.connectors.getOauth(app.provider).startAuthorization({
      redirectUri: redirectUri(this.env, app.provider),
      state,
      ...(app.externalUser ? { loginHint: app.externalUser } : {}),
    });
    const expiresAt = new Date(Date.now() + STATE_LIFETIME_SECONDS * 1_000);
    const codeVerifier = await this.secrets.seal(verifierPlace(actor.organizationId, id), authorization.codeVerifier);
    await tenant.oauthState.create({
      data: {
        id,
        organizationId: actor.organizationId,
        appId,
        userId: actor.uid,
        codeVerifier,
        returnTo: body.returnTo ?? null,
        expiresAt,
      },
    });
    if (app.state === 'draft') await tenant.app.update({ where: { id: appId }, data: { state: 'authorizing' } });
    return { authorizeUrl: authorization.url, expiresAt: expiresAt.toISOString() };
  }

  async complete(actor: Actor, body: CompleteOauthBody): Promise<{ appId: string; returnTo: string | null }> {
    const { appId, returnTo, codeVerifier } = await this.useState(actor, body.state);
    const app = await this.tenants.of(actor.organizationId).app.findFirst({ where: { id: appId, deletedAt: null } });
    if (!app) throw notFound('The app');
    if (!body.code || body.error) throw denied(this.connectors.getEntry(app.provider).name, body.error);
    const signal = AbortSignal.timeout(PROVIDER_TIMEOUT_MS);
    try {
      const request = { code: body.code, redirectUri: redirectUri(this.env, app.provider), codeVerifier };
      const grant = await this.connectors.getOauth(app.provider).exchangeCode(request, signal);
      await this.assertUsable(actor.organizationId, app, grant);
      await this.save(actor, app, grant, await this.listAccounts(app, grant, signal));
    } catch (error) {
      throw asProblem(error);
    }
    await this.audit.record(actor, { action: 'app.connected', target: { type: 'app', id: appId, name: app.displayName } });
    if (app.state === 'needs_reauth') await this.reconnections.tell(actor.organizationId, appId, actor.uid);
    return { appId, returnTo };
  }

  /** Marks the state as used and opens its verifier; somebody else's state is as good as none. */
  private async useState(actor: Actor, state: string): Promise<OauthState> {
    const claims = await this.states.verify(state);
    if (claims.sub !== actor.uid || claims.organizationId !== actor.organizationId) {
      throw new Problem('oauth.state_invalid', {
        detail: 'This sign-in was started by somebody else or for another organization.',
        action: 'Start connecting again',
      });
    }
    const [row] = await this.tenants.of(actor.organizationId).oauthState.updateManyAndReturn({
      where: { id: claims.jti, usedAt: null, expiresAt: { gt: new Date() } },
      data: { usedAt: new Date() },
    });
    if (!row) throw stateExpired();
    return {
      ...row,
      codeVerifier: String(await this.secrets.open(verifierPlace(actor.organizationId, row.id), row.codeVerifier)),
    };
  }

  private async assertUsable(organizationId: string, app: App, grant: TokenGrant): Promise<void> {
    const { name } = this.connectors.getEntry(app.provider);
    const missing = missingScopes(this.connectors.getOauth(app.provider).scopes, grant.grantedScopes);
    if (missing.length > 0) {
      await this.tenants.of(organizationId).app.update({ where: { id: app.id }, data: { missingScopes: missing } });
      throw new Problem('oauth.missing_scope', {
        detail: `A permission that ${name} asked you for was not ticked, so nothing can be read or written (${missing.join(', ')}).`,
        action: 'Sign in again and tick every box',
      });
    }
    if (app.externalUserId && grant.externalUser && grant.externalUser.id !== app.externalUserId) {
      throw new Problem('oauth.other_user', {
        detail: `${app.displayName} is connected as ${app.externalUser ?? 'another user'}; you signed in as ${grant.externalUser.email}.`,
        action: `Sign in as ${app.externalUser ?? 'the same user'}, or connect a new app`,
      });
    }
  }

  private async listAccounts(app: App, grant: TokenGrant, signal: AbortSignal): Promise<AdAccount[]> {
    if (!isSource(app.provider)) return [];
    const connector = this.connectors.getSource(app.provider);
    const source = connector.open({ accessToken: () => Promise.resolve(grant.accessToken) }, {});
    const accounts = await source.listAccounts({ signal, onRequest: () => undefined }).catch(noneForStrangers);
    if (accounts.length === 0) {
      throw new Problem('oauth.no_accounts', {
        detail: `${grant.externalUser?.email ?? 'This user'} reaches no account of ${connector.name}.`,
        action: `Sign in to ${connector.name} as a user who does`,
      });
    }
    return accounts;
  }

  private async save(actor: Actor, app: App, grant: TokenGrant, accounts: AdAccount[]): Promise<void> {
    const { organizationId } = actor;
    // Without a new refresh token the one there is stays good; where tokens are extended themselves there is none.
    const refreshToken = grant.refreshToken ?? (await this.access.keptRefreshToken(app));
    const now = new Date();
    const credentials = await this.access.sealGrant(organizationId, app.id, grant, refreshToken);
    await this.tenants.of(organizationId).$transaction(async (transaction) => {
      await transaction.app.update({
        where: { id: app.id },
        data: {
          state: 'connected',
          failure: Prisma.DbNull,
          credentials,
          credentialHint: grant.externalUser?.email ?? null,
          externalUser: grant.externalUser?.email ?? null,
          externalUserId: grant.externalUser?.id ?? null,
          grantedScopes: grant.grantedScopes,
          missingScopes: [],
          accounts: accounts as unknown as Prisma.InputJsonValue,
          accountsListedAt: now,
          lastProbeAt: now,
          lastRefreshAt: now,
          accessExpiresAt: grant.expiresAt,
          signInAgainAt: grant.signInAgainAt,
          version: { increment: 1 },
        },
      });
      // An app that is connected for the first time feeds nothing yet.
      if (!app.credentials) return;
      const name = isSource(app.provider) ? 'Source Reauthenticated' : 'Destination Reauthenticated';
      await this.analytics.raise(queryWithin(transaction, organizationId), whatHappened(name, actor, app.provider));
    });
  }
}

const verifierPlace = (organizationId: string, rowId: string) => ({
  organizationId,
  table: 'oauth_states',
  column: 'code_verifier',
  rowId,
});

/** Google refuses a user who has never had an ad account, instead of listing none. */
function noneForStrangers(error: unknown): AdAccount[] {
  if (error instanceof ReconnectNeeded && error.code.endsWith('.not_ads_user')) return [];
  throw error;
}

const denied = (providerName: string, error: string | undefined): Problem =>
  new Problem('oauth.denied', {
    detail:
      error && error !== 'access_denied'
        ? `${providerName} did not grant access (${error.slice(0, 80)}).`
        : 'You did not grant access, so nothing was connected.',
    action: 'Sign in again and allow access',
  });
