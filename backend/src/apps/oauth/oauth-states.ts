import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { TokenGrant } from '../../connectors/kit/oauth/oauth.js';
import { Problem } from '../../core/http/problem.js';
import { Secrets } from '../../core/encryption/secrets.js';
import { TenantDatabase } from '../../core/database/tenant-database.js';
import type { OAuthRequester } from './oauth-requester.js';
import { OauthStateSigner, stateExpired, STATE_LIFETIME_SECONDS } from './oauth-state.js';

// SQL: locks the state, so that its grant is taken once.

export interface UsedState {
  id: string;
  appId: string;
  returnTo: string | null;
  codeVerifier: string;
}

/** A grant of another user that waits for confirmation by a member. */
export interface StoredGrant {
  appId: string;
  returnTo: string | null;
  grant: TokenGrant;
}

const grantSchema = z.object({
  accessToken: z.string(),
  expiresAt: z.coerce.date(),
  refreshToken: z.string().nullable(),
  signInAgainAt: z.coerce.date().nullable(),
  grantedScopes: z.array(z.string()),
  externalUser: z.object({ id: z.string(), email: z.string() }).nullable(),
});

export const verifierPlace = (organizationId: string, rowId: string) => ({
  organizationId,
  table: 'oauth_states' as const,
  column: 'code_verifier' as const,
  rowId,
});
const grantPlace = (organizationId: string, rowId: string) => ({
  ...verifierPlace(organizationId, rowId),
  column: 'held_grant' as const,
});

/** Active sign-ins. Each can be used once. */
@Injectable()
export class OauthStates {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly secrets: Secrets,
    private readonly signer: OauthStateSigner,
  ) {}

  /** Marks the state as used and decrypts its verifier. Rejects the state of another user. */
  async use(requester: OAuthRequester, state: string): Promise<UsedState> {
    const id = await this.idOf(requester, state);
    const { organizationId } = requester;
    const [row] = await this.tenants.of(organizationId).oauthState.updateManyAndReturn({
      where: { id, usedAt: null, expiresAt: { gt: new Date() } },
      data: { usedAt: new Date() },
    });
    if (!row) throw stateExpired();
    const codeVerifier = String(await this.secrets.decrypt(verifierPlace(organizationId, id), row.codeVerifier));
    return { id, appId: row.appId, returnTo: row.returnTo, codeVerifier };
  }

  /** Stores a grant for 10 more minutes, the lifetime of a state. */
  async hold(organizationId: string, id: string, grant: TokenGrant): Promise<void> {
    const heldUntil = new Date(Date.now() + STATE_LIFETIME_SECONDS * 1_000);
    const heldGrant = await this.secrets.encrypt(grantPlace(organizationId, id), grant);
    await this.tenants.of(organizationId).oauthState.update({ where: { id }, data: { heldGrant, heldUntil } });
  }

  /** Returns a stored grant once. */
  async take(requester: OAuthRequester, state: string): Promise<StoredGrant> {
    const id = await this.idOf(requester, state, STATE_LIFETIME_SECONDS);
    const { organizationId } = requester;
    const held = await this.tenants.write(organizationId, async (transaction, query) => {
      const [row] = await query<{ appId: string; returnTo: string | null; grant: string }>(
        `select app_id as "appId", return_to as "returnTo", held_grant as grant from oauth_states
          where organization_id = $1 and id = $2 and held_grant is not null and held_until > $3 for update`,
        [id, new Date()],
      );
      if (row) await transaction.oauthState.update({ where: { id }, data: { heldGrant: null }, select: { id: true } });
      return row;
    });
    if (!held) throw stateExpired();
    const grant = grantSchema.parse(await this.secrets.decrypt(grantPlace(organizationId, id), held.grant));
    return { appId: held.appId, returnTo: held.returnTo, grant };
  }

  private async idOf(requester: OAuthRequester, state: string, toleranceSeconds = 0): Promise<string> {
    const claims = await this.signer.verify(state, toleranceSeconds);
    const { organizationId, subject, shareLinkId } = requester;
    if (claims.sub === subject && claims.organizationId === organizationId && claims.shareLinkId === shareLinkId)
      return claims.jti;
    throw new Problem('oauth.state_invalid', {
      detail: 'This sign-in was started by another user or for another organization.',
      action: 'Start connecting again',
    });
  }
}
