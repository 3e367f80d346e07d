import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { FixSettings, ReconnectNeeded } from '../../connectors/kit/errors.js';
import type { TokenGrant } from '../../connectors/kit/oauth/oauth.js';
import type { App } from '../../generated/prisma/client.js';
import { Secrets } from '../../core/encryption/secrets.js';
import type { TenantDatabase } from '../../core/database/tenant-database.js';
import { Connectors } from '../../catalog/index.js';

// SQL: every run reads it several times, in a transaction without Prisma (`TenantDatabase.together`).

const oauthCredentials = z.object({ accessToken: z.string(), refreshToken: z.string().nullable(), expiresAt: z.string() });
const typedCredentials = z.record(z.string(), z.unknown());

/** Tokens in their stored form. */
export type OauthCredentials = z.infer<typeof oauthCredentials>;

/** The columns needed to open an app's credentials. */
export type StoredApp = Pick<
  App,
  'id' | 'organizationId' | 'provider' | 'displayName' | 'authMode' | 'state' | 'credentials' | 'credentialTarget' | 'failure'
>;

export async function findStoredApp(tenants: TenantDatabase, organizationId: string, id: string): Promise<StoredApp | null> {
  const [app] = await tenants.query<StoredApp>(
    organizationId,
    `select id, organization_id as "organizationId", provider, display_name as "displayName", auth_mode as "authMode", state, credentials,
            credential_target as "credentialTarget", failure
       from apps where organization_id = $1 and id = $2 and deleted_at is null`,
    [id],
  );
  return app ?? null;
}

/** Encrypts and decrypts an app's credentials. Decrypted credentials never leave the server. */
@Injectable()
export class AppCredentials {
  constructor(
    private readonly secrets: Secrets,
    private readonly connectors: Connectors,
  ) {}

  encrypt(organizationId: string, appId: string, credentials: Record<string, unknown>): Promise<string> {
    return this.secrets.encrypt(place(organizationId, appId), credentials);
  }

  encryptGrant(organizationId: string, appId: string, grant: TokenGrant, refreshToken: string | null): Promise<string> {
    const credentials: OauthCredentials = {
      accessToken: grant.accessToken,
      refreshToken,
      expiresAt: grant.expiresAt.toISOString(),
    };
    return this.encrypt(organizationId, appId, credentials);
  }

  async decryptTokens(app: StoredApp): Promise<OauthCredentials> {
    return oauthCredentials.parse(await this.open(app));
  }

  async decryptTyped(app: StoredApp): Promise<Record<string, unknown>> {
    return typedCredentials.parse(await this.open(app));
  }

  /** Also for an app that needs reauthentication, because a new sign-in may return only an access token. */
  async storedRefreshToken(app: App): Promise<string | null> {
    return app.credentials ? (await this.decryptGivenUp(app)).refreshToken : null;
  }

  /** The tokens of an app that needs reauthentication, although its platform has not rejected them. */
  async decryptGivenUp({ organizationId, id, credentials }: App): Promise<OauthCredentials> {
    return oauthCredentials.parse(await this.secrets.decrypt(place(organizationId, id), credentials ?? ''));
  }

  private open(app: StoredApp): Promise<unknown> {
    if (app.state === 'needs_reauth' || app.state === 'revoked')
      throw needsReauthError(app, this.connectors.nameOf(app.provider));
    if (!app.credentials) {
      throw new FixSettings({
        code: 'app.not_connected',
        message: `${app.displayName} was never connected.`,
        action: 'Connect the app',
      });
    }
    return this.secrets.decrypt(place(app.organizationId, app.id), app.credentials);
  }
}

const place = (organizationId: string, appId: string) => ({
  organizationId,
  table: 'apps' as const,
  column: 'credentials' as const,
  rowId: appId,
});

/** Contains the cause for which the app needs reauthentication. */
function needsReauthError(app: StoredApp, providerName: string): ReconnectNeeded {
  const failure = app.failure as { code?: string; message?: string } | null;
  return new ReconnectNeeded({
    code: failure?.code ?? 'app.needs_reauth',
    message: failure?.message ?? `${app.displayName} needs to be reconnected.`,
    action: app.authMode === 'oauth2' ? `Reconnect with ${providerName}` : 'Update the credentials',
  });
}
