import { Injectable } from '@nestjs/common';
import { Entitlements } from '../billing/entitlements.service.js';
import { notFound, Problem } from '../platform/problem.js';
import { TenantDoor } from '../platform/tenant.js';
import { linkAs } from './applicant.js';
import type { CatchUpCount } from './app-use.dto.js';
import { AuthorizeApp } from './authorize-app.js';
import { OauthStateSigner } from './oauth-state.js';
import { hashOfToken } from './share-app.js';
import { type ShareLink, ShareLinksQueries } from './share-links.queries.js';
import { StartAuthorization } from './start-authorization.js';

export interface ReconnectedByLink {
  link: ShareLink;
  catchUp: CatchUpCount;
}

/** Reconnects one app for whoever holds a shared link, and does nothing else. */
@Injectable()
export class ReconnectByLink {
  constructor(
    private readonly tenants: TenantDoor,
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
    return (await this.startAuthorization.start(linkAs(link), link.appId, {})).authorizeUrl;
  }

  /** What the provider sent back. A refusal leaves the link open: whoever missed a box may try again. */
  async finish(state: string, code: string | undefined, error: string | undefined): Promise<ReconnectedByLink> {
    const claims = await this.states.verify(state).catch(() => null);
    const link = claims?.shareLinkId ? await this.queries.findById(claims.shareLinkId) : null;
    if (!link) throw notFound('The sign-in');
    await this.assertOpen(link);
    await this.use(link);
    try {
      const { catchUp } = await this.authorizeApp.complete(linkAs(link), {
        state,
        ...(code ? { code } : {}),
        ...(error ? { error } : {}),
      });
      return { link, catchUp };
    } catch (problem) {
      await this.tenants.of(link.organizationId).appShareLink.update({ where: { id: link.id }, data: { usedAt: null } });
      throw problem;
    }
  }

  private async assertOpen(link: ShareLink): Promise<ShareLink> {
    if (link.usedAt) throw used();
    if (link.revokedAt) throw new Problem('share_link.taken_back', { detail: 'This link was taken back.', action: ASK_AGAIN });
    if (link.expiresAt.getTime() <= Date.now())
      throw new Problem('share_link.expired', { detail: 'This link is older than 24 hours.', action: ASK_AGAIN });
    if (await this.entitlements.isClosed(link.organizationId)) {
      const detail = `The subscription of ${link.organizationName} has ended, so nothing of it can be reconnected.`;
      throw new Problem('subscription.required', { detail, action: 'Tell whoever sent you the link' });
    }
    return link;
  }

  /** Two at once: the first one has it. */
  private async use({ organizationId, id }: ShareLink): Promise<void> {
    const { count } = await this.tenants
      .of(organizationId)
      .appShareLink.updateMany({ where: { id, usedAt: null, revokedAt: null }, data: { usedAt: new Date() } });
    if (count === 0) throw used();
  }
}

const ASK_AGAIN = 'Ask for a new link';
const used = (): Problem => new Problem('share_link.used', { detail: 'This link was used already.', action: ASK_AGAIN });
