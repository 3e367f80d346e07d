import type { AdPlatform } from '~/domain/accounts/providers';
import { createApp, listApps, startAuthorization } from './apps';
import type { App } from './types';

/** An app that was begun and never authorized is taken up again, so that tries do not pile up. */
const isUnfinished = (app: App, provider: SignInProvider): boolean =>
  app.provider === provider && (app.state === 'draft' || app.state === 'authorizing');

export type SignInProvider = AdPlatform | 'bigquery';

export interface Authorization {
  provider: SignInProvider;
  /** The app to reconnect; left out, a new one is made. */
  appId?: string;
  /** Relative path to go back to afterwards. */
  returnTo: string;
}

/** Address of the platform's consent page; the platform sends the browser back to the landing page. */
export async function findConsentPage(organizationId: string, { provider, appId, returnTo }: Authorization): Promise<string> {
  const id = appId ?? (await findUnfinished(organizationId, provider)) ?? (await createApp(organizationId, { provider })).id;
  return (await startAuthorization(organizationId, id, { returnTo })).authorizeUrl;
}

async function findUnfinished(organizationId: string, provider: SignInProvider): Promise<string | undefined> {
  const { items } = await listApps(organizationId);
  return items.find((app) => isUnfinished(app, provider))?.id;
}
