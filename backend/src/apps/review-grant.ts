import { Injectable } from '@nestjs/common';
import type { AdAccount } from '../connectors/kit/contract.js';
import { ReconnectNeeded } from '../connectors/kit/errors.js';
import { missingScopes, type TokenGrant } from '../connectors/kit/oauth.js';
import type { App } from '../generated/prisma/client.js';
import { Problem } from '../platform/problem.js';
import { TenantDoor } from '../platform/tenant.js';
import type { OtherUser } from './app-use.dto.js';
import { Connectors } from './connectors.service.js';
import { isSource } from './oauth-landing.js';

/** Whether what a provider has granted is what the app needs. */
@Injectable()
export class ReviewGrant {
  constructor(
    private readonly tenants: TenantDoor,
    private readonly connectors: Connectors,
  ) {}

  async assertScopes(app: App, grant: TokenGrant): Promise<void> {
    const { name } = this.connectors.getEntry(app.provider);
    const missing = missingScopes(this.connectors.getOauth(app.provider).scopes, grant.grantedScopes);
    if (missing.length === 0) return;
    await this.tenants.of(app.organizationId).app.update({ where: { id: app.id }, data: { missingScopes: missing } });
    throw new Problem('oauth.missing_scope', {
      detail: `A permission that ${name} asked you for was not ticked, so nothing can be read or written (${missing.join(', ')}).`,
      action: 'Sign in again and tick every box',
    });
  }

  async listAccounts(app: App, grant: TokenGrant, signal: AbortSignal): Promise<AdAccount[]> {
    if (!isSource(app.provider)) return [];
    const connector = this.connectors.getSource(app.provider);
    const source = connector.open({ accessToken: () => Promise.resolve(grant.accessToken) }, {});
    const accounts = await source.listAccounts({ signal, onRequest: () => undefined }).catch(noneForStrangers);
    if (accounts.length === 0) {
      throw new Problem('oauth.no_accounts', {
        detail: `${grant.externalUser?.email || 'This user'} reaches no account of ${connector.name}.`,
        action: `Sign in to ${connector.name} as a user who does`,
      });
    }
    return accounts;
  }
}

/** Google refuses a user who has never had an ad account, instead of listing none. */
function noneForStrangers(error: unknown): AdAccount[] {
  if (error instanceof ReconnectNeeded && error.code.endsWith('.not_ads_user')) return [];
  throw error;
}

export const isOtherUser = (app: App, { externalUser }: TokenGrant): boolean =>
  app.externalUserId !== null && externalUser !== null && externalUser.id !== app.externalUserId;

/** What would change if this user's sign-in took the place of the app's. */
export function compareUsers(app: App, grant: TokenGrant, accounts: AdAccount[]): OtherUser {
  const own = app.accounts as unknown as AdAccount[];
  const without = (left: AdAccount[], right: AdAccount[]) =>
    left
      .filter(({ externalId }) => !right.some((account) => account.externalId === externalId))
      .map((account) => ({ ...account, managerName: account.managerName ?? null }));
  return {
    expected: app.externalUser || 'another user',
    found: grant.externalUser?.email || 'another user',
    missingAccounts: without(own, accounts),
    addedAccounts: without(accounts, own),
  };
}
