import { Injectable } from '@nestjs/common';
import type { AdAccount } from '../../connectors/kit/contract.js';
import { ReconnectNeeded } from '../../connectors/kit/errors.js';
import { missingScopes, type TokenGrant } from '../../connectors/kit/oauth.js';
import type { App } from '../../generated/prisma/client.js';
import { Problem } from '../../core/http/problem.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { OtherUser } from '../app-use.dto.js';
import { AppUseQueries } from '../app-use.queries.js';
import type { Applicant } from './applicant.js';
import { Connectors } from '../../catalog/index.js';
import { isSource } from './oauth-landing.js';

/** Whether what a provider has granted is what the app needs. */
@Injectable()
export class ReviewGrant {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly connectors: Connectors,
    private readonly uses: AppUseQueries,
  ) {}

  async assertScopes({ actor }: Applicant, app: App, grant: TokenGrant): Promise<void> {
    const { name } = this.connectors.getEntry(app.provider);
    const missing = missingScopes(this.connectors.getOauth(app.provider).scopes, grant.grantedScopes);
    if (missing.length === 0) return;
    // A failed sign-in by a share link changes nothing: its holder is not a member.
    if (actor) await this.tenants.of(app.organizationId).app.update({ where: { id: app.id }, data: { missingScopes: missing } });
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

  /** A share link reconnects the app's own user. A user known to be another one is refused before any request to the platform. */
  assertLinkUser({ actor }: Applicant, app: App, grant: TokenGrant): void {
    const match = matchUser(app, grant);
    if (!actor && (match === 'other' || match === 'unnamed')) throw this.otherUser(app, grant, null);
  }

  /** Null: the sign-in is accepted. For a member the refusal lists what would change if they accept it. */
  async findOtherUser({ actor }: Applicant, app: App, grant: TokenGrant, accounts: AdAccount[]): Promise<Problem | null> {
    const match = matchUser(app, grant);
    if (match === 'same' || match === 'first') return null;
    if (match === 'unproven') {
      const inUse = await this.uses.listAccountsInUse(app.organizationId, app.id);
      const reached = new Set(accounts.map(({ externalId }) => externalId));
      // Without accounts in use nothing proves that it is the same user: a member may sign in all the same, a link may not.
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
        detail: `${name} did not say who signed in, so nobody can check that it was ${expected}.`,
        action: `Sign in again as ${expected} and leave the permission to see your e-mail address allowed`,
      },
      unproven: {
        detail: `It is not known as whom ${app.displayName} is connected, and ${found} does not reach every account in use.`,
        action: otherUser ? 'Sign in as a user who does' : 'Ask the sender of the link to sign in as a member',
      },
    };
    const match = matchUser(app, grant);
    const { detail, action } = texts[match === 'unnamed' || match === 'unproven' ? match : 'other'];
    if (!otherUser) return new Problem('oauth.other_user', { detail, action });
    return new Problem('oauth.other_user', { detail, action: `${action}, or connect a new app`, otherUser });
  }
}

/** Google refuses a user who has never had an ad account, instead of listing none. */
function noneForStrangers(error: unknown): AdAccount[] {
  if (error instanceof ReconnectNeeded && error.code.endsWith('.not_ads_user')) return [];
  throw error;
}

const UNNAMED = 'a user who is not named';

/**
 * Whether a sign-in is of the app's own user. `first`: the app has never had one. `unnamed`: the platform did not say who signed
 * in. Google does so when the scopes `openid email` are taken out of the consent page's address. `unproven`: it is not known who
 * the app's user is, so only the accounts show it.
 */
export function matchUser(app: App, { externalUser }: TokenGrant): 'same' | 'other' | 'unnamed' | 'unproven' | 'first' {
  if (app.externalUserId === null) return wasConnected(app) ? 'unproven' : 'first';
  if (externalUser === null) return 'unnamed';
  return externalUser.id === app.externalUserId ? 'same' : 'other';
}

/** The list of accounts is stored with the first sign-in that succeeds. */
export const wasConnected = (app: App): boolean => app.accountsListedAt !== null;

/** What would change if this user's sign-in took the place of the app's. */
function compareUsers(app: App, grant: TokenGrant, accounts: AdAccount[]): OtherUser {
  const own = app.accounts as unknown as AdAccount[];
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
