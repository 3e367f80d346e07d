import { Inject, Injectable } from '@nestjs/common';
import { ENV, type Env } from '../../core/config/env.js';
import { newId } from '../../core/database/identifiers.js';
import { notFound } from '../../core/http/problem.js';
import { Secrets } from '../../core/encryption/secrets.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { OAuthRequester } from './oauth-requester.js';
import type { OauthStart, StartOauthBody } from '../apps.dto.js';
import { Connectors } from '../../catalog/index.js';
import { redirectUri } from './oauth-landing.js';
import { OauthStateSigner, STATE_LIFETIME_SECONDS } from './oauth-state.js';
import { verifierPlace } from './oauth-states.js';

/** Sends users to the provider with a state that only they can use. */
@Injectable()
export class StartAuthorization {
  constructor(
    @Inject(ENV) private readonly env: Env,
    private readonly tenants: TenantDatabase,
    private readonly secrets: Secrets,
    private readonly signer: OauthStateSigner,
    private readonly connectors: Connectors,
  ) {}

  async start(requester: OAuthRequester, appId: string, body: StartOauthBody): Promise<OauthStart> {
    const { organizationId, subject, shareLinkId } = requester;
    const tenant = this.tenants.of(organizationId);
    const app = await tenant.app.findFirst({ where: { id: appId, deletedAt: null, authMode: 'oauth2' } });
    if (!app) throw notFound('The app');
    const id = newId();
    const isReconnect = app.state !== 'draft' && app.state !== 'authorizing';
    const state = await this.signer.sign({ jti: id, sub: subject, organizationId, appId, isReconnect, shareLinkId });
    const authorization = await this.connectors.getOauth(app.provider).startAuthorization({
      redirectUri: redirectUri(this.env, app.provider),
      state,
      ...(app.externalUser ? { loginHint: app.externalUser } : {}),
    });
    const expiresAt = new Date(Date.now() + STATE_LIFETIME_SECONDS * 1_000);
    const codeVerifier = await this.secrets.encrypt(verifierPlace(organizationId, id), authorization.codeVerifier);
    const returnTo = body.returnTo ?? null;
    await tenant.oauthState.create({
      data: { id, organizationId, appId, userId: subject, codeVerifier, returnTo, expiresAt },
    });
    if (app.state === 'draft') await tenant.app.update({ where: { id: appId }, data: { state: 'authorizing' } });
    return { authorizeUrl: authorization.url, expiresAt: expiresAt.toISOString() };
  }
}
