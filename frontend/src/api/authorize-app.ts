import { createApp, startAuthorization } from './apps';
import type { App } from './types';

/** An app that was begun and never authorized is taken up again, so that tries do not pile up. */
const isUnfinished = (app: App): boolean =>
  app.provider === 'google_ads' && (app.state === 'draft' || app.state === 'authorizing');

/** Leaves for Google's consent page, in the same tab; Google sends the browser back to the landing page. */
export async function authorizeApp(organizationId: string, known: App[], returnTo: string, appId?: string): Promise<void> {
  const id = appId ?? known.find(isUnfinished)?.id ?? (await createApp(organizationId, { provider: 'google_ads' })).id;
  const { authorizeUrl } = await startAuthorization(organizationId, id, { returnTo });
  location.assign(authorizeUrl);
}
