import { Injectable } from '@nestjs/common';
import type { AdAccount } from '../../connectors/kit/contract.js';
import { ReconnectNeeded } from '../../connectors/kit/errors.js';
import { missingScopes, type TokenGrant } from '../../connectors/kit/oauth/oauth.js';
import type { App } from '../../generated/prisma/client.js';
import { Problem } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { OtherUser } from '../app-use.dto.js';
import { AppUseQueries } from '../app-use.queries.js';
import type { OAuthRequester } from './oauth-requester.js';
import { Connectors } from '../../catalog/index.js';
import { isSource } from './oauth-landing.js';
import { accountsColumn } from '../stored-accounts.js';

/** Checks whether the provider granted what the app needs. */
@Injectable()
export class ReviewGrant {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
    private readonly uses: AppUseQueries,
  ) {}

  async assertScopes({ actor }: OAuthRequester, app: App, grant: TokenGrant): Promise<void> {
    const { name } = this.connectors.getEntry(app.provider);
    const missing = missingScopes(this.connectors.getOauth(app.provider).scopes, grant.grantedScopes);
    if (missing.length === 0) return;
    // A failed sign-in by a share link stores nothing, because its holder is not a member.
    if (actor) await this.tenants.of(app.organizationId).app.update({ where: { id: app.id }, data: { missingScopes: missing } });
    throw new Problem('oauth.missing_scope', {
      detail: `A permission that ${name} requested was not ticked, so Tributary cannot read or write data (${missing.join(', ')}).`,
      action: 'Sign in again and tick every box',
    });
  }

  async listAccounts(app: App, grant: TokenGrant, signal: AbortSignal): Promise<AdAccount[]> {
    if (!isSource(app.provider)) return [];
    const connector = this.connectors.getPlatform(app.provider);
    const source = connector.open({ accessToken: () => Promise.resolve(grant.accessToken) }, {});
    const accounts = await source.listAccounts({ signal, onRequest: () => undefined }).catch(emptyForNewUser);
    if (accounts.length === 0) {
      throw new Problem('oauth.no_accounts', {
        detail: `${grant.externalUser?.email || 'This user'} has no access to an account of ${connector.name}.`,
        action: `Sign in to ${connector.name} as a user with access`,
      });
    }
    return accounts;
  }

  /** A share link only reconnects the app's own user. Rejects a different user before any request to the platform. */
  assertLinkUser({ actor }: OAuthRequester, app: App, grant: TokenGrant): void {
    const match = matchUser(app, grant);
    if (!actor && (match === 'other' || match === 'unnamed')) throw this.otherUser(app, grant, null);
  }

  /** Null: the sign-in is accepted. For a member the error lists what would change if they accept it. */
  async findOtherUser({ actor }: OAuthRequester, app: App, grant: TokenGrant, accounts: AdAccount[]): Promise<Problem | null> {
    const match = matchUser(app, grant);
    if (match === 'same' || match === 'first') return null;
    if (match === 'unproven') {
      const inUse = await this.uses.listAccountsInUse(app.organizationId, app.id);
      const reached = new Set(accounts.map(({ externalId }) => externalId));
      // Without accounts in use the user cannot be verified. A member can sign in nevertheless, the holder of a link cannot.
      if (inUse.every((id) => reached.has(id)) && (actor || inUse.length > 0)) return null;
    }
    return this.otherUser(app, grant, actor && compareUsers(app, grant, accounts));
  }

  private otherUser(app: App, grant: TokenGrant, otherUser: OtherUser | null): Problem {
    const expected = app.externalUser || UNNAMED;
    const found = grant.externalUser?.email || UNNAMED;
    const { name } = this.connectors.getEntry(app.provider);
    const texts = {
      other: {
        detail: `${app.displayName} is connected as ${expected}; you signed in as ${found}.`,
        action: `Sign in as ${expected}`,
      },
      unnamed: {
        detail: `${name} did not report who signed in, so Tributary cannot verify that it was ${expected}.`,
        action: `Sign in again as ${expected} and leave the permission to see your e-mail address allowed`,
      },
      unproven: {
        detail: `The user of ${app.displayName} is unknown, and ${found} does not have access to every account in use.`,
        action: otherUser ? 'Sign in as a user with access' : 'Ask the sender of the link to sign in as a member',
      },
    };
    const match = matchUser(app, grant);
    const { detail, action } = texts[match === 'unnamed' || match === 'unproven' ? match : 'other'];
    if (!otherUser) return new Problem('oauth.other_user', { detail, action });
    return new Problem('oauth.other_user', { detail, action: `${action}, or connect a new app`, otherUser });
  }
}

/** Google returns an error for a user who never had an ad account, instead of an empty list. */
function emptyForNewUser(error: unknown): AdAccount[] {
  if (error instanceof ReconnectNeeded && error.code.endsWith('.not_ads_user')) return [];
  throw error;
}

const UNNAMED = 'an unnamed user';

/**
 * Compares the signed-in user with the app's user. `first`: the app has no user yet. `unnamed`: the platform did not report the
 * user. Google does so if the scopes `openid email` are removed from the address of the consent page. `unproven`: the app's user
 * is unknown, so only the accounts can be compared.
 */
export function matchUser(app: App, { externalUser }: TokenGrant): 'same' | 'other' | 'unnamed' | 'unproven' | 'first' {
  if (app.externalUserId === null) return wasConnected(app) ? 'unproven' : 'first';
  if (externalUser === null) return 'unnamed';
  return externalUser.id === app.externalUserId ? 'same' : 'other';
}

/** The list of accounts is stored with the first successful sign-in. */
export const wasConnected = (app: App): boolean => app.accountsListedAt !== null;

/** The changes if this user replaced the app's user. */
function compareUsers(app: App, grant: TokenGrant, accounts: AdAccount[]): OtherUser {
  const own = accountsColumn.get(app.accounts);
  const without = (left: AdAccount[], right: AdAccount[]) =>
    left
      .filter(({ externalId }) => !right.some((account) => account.externalId === externalId))
      .map((account) => ({ ...account, managerName: account.managerName ?? null }));
  return {
    expected: app.externalUser || UNNAMED,
    found: grant.externalUser?.email || UNNAMED,
    missingAccounts: without(own, accounts),
    addedAccounts: without(accounts, own),
  };
}
