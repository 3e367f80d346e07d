import { Secrets } from '../src/core/encryption/secrets.js';
import type { TestApp } from './app.js';

/** Changes the expiry of the stored access token, by default to a time in the past. */
export async function expireStoredToken(
  app: TestApp,
  organizationId: string,
  appId: string,
  expiresAt = new Date(0).toISOString(),
): Promise<void> {
  const place = { organizationId, table: 'apps', column: 'credentials', rowId: appId } as const;
  const [row] = await app.database.query<{ credentials: string }>('select credentials from apps where id = $1', [appId]);
  const credentials = (await app.get(Secrets).decrypt(place, row?.credentials ?? '')) as object;
  const expired = await app.get(Secrets).encrypt(place, { ...credentials, expiresAt });
  await app.database.query('update apps set credentials = $2 where id = $1', [appId, expired]);
}
