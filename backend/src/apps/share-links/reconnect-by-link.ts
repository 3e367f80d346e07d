import { Injectable } from '@nestjs/common';
import { Entitlements } from '../../billing/index.js';
import { notFound, Problem } from '../../core/http/problem.js';
import { linkRequester } from '../oauth/oauth-requester.js';
import type { CatchUpCount } from '../app-use.dto.js';
import { AuthorizeApp } from '../oauth/authorize-app.js';
import { OauthStateSigner } from '../oauth/oauth-state.js';
import { hashOfToken } from './share-app.js';
import { type ShareLink, ShareLinksQueries } from './share-links.queries.js';
import { StartAuthorization } from '../oauth/start-authorization.js';
import { assertLinkOpen } from './use-share-link.js';

export interface ReconnectedByLink {
  link: ShareLink;
  catchUp: CatchUpCount;
}

/** Reconnects one app for the holder of a shared link. */
@Injectable()
export class ReconnectByLink {
  constructor(
    private readonly queries: ShareLinksQueries,
    private readonly states: OauthStateSigner,
    private readonly startAuthorization: StartAuthorization,
    private readonly authorizeApp: AuthorizeApp,
    private readonly entitlements: Entitlements,
  ) {}

  async getOpen(token: string): Promise<ShareLink> {
    const link = await this.queries.findByHash(hashOfToken(token));
    if (!link) throw notFound('The link');
    return this.assertOpen(link);
  }

  async start(token: string): Promise<string> {
    const link = await this.getOpen(token);
    return (await this.startAuthorization.start(linkRequester(link), link.appId, {})).authorizeUrl;
  }

  /** Handles the provider's response. The link stays open after an error, so that the person can retry. */
  async finish(state: string, code: string | undefined, error: string | undefined): Promise<ReconnectedByLink> {
    const claims = await this.states.verify(state).catch(() => null);
    const link = claims?.shareLinkId ? await this.queries.findById(claims.shareLinkId) : null;
    if (!link) throw notFound('The sign-in');
    await this.assertOpen(link);
    const { catchUp } = await this.authorizeApp.complete(linkRequester(link), {
      state,
      ...(code ? { code } : {}),
      ...(error ? { error } : {}),
    });
    return { link, catchUp };
  }

  private async assertOpen(link: ShareLink): Promise<ShareLink> {
    assertLinkOpen(link);
    if (await this.entitlements.isClosed(link.organizationId)) {
      const detail = `The subscription of ${link.organizationName} has ended, so its apps cannot be reconnected.`;
      throw new Problem('subscription.required', { detail, action: 'Contact the sender of the link' });
    }
    return link;
  }
}
