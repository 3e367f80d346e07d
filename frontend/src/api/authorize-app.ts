import { createApp, listApps, startAuthorization } from './apps';
import type { App, Provider } from './types';

/** An app that was never authorized is reused, so that failed attempts do not create more apps. */
const isUnfinished = (app: App, provider: SignInProvider): boolean =>
  app.provider === provider && (app.state === 'draft' || app.state === 'authorizing');

/** A provider with a sign-in. */
export type SignInProvider = Provider;

export interface Authorization {
  provider: SignInProvider;
  /** The app to reconnect; a new one is created when omitted. */
  appId?: string;
  /** The relative path to return to afterwards. */
  returnTo: string;
}

/** The URL of the platform's consent page. The platform redirects the browser to the landing page. */
export async function findConsentPage(organizationId: string, { provider, appId, returnTo }: Authorization): Promise<string> {
  const id = appId ?? (await findUnfinished(organizationId, provider)) ?? (await createApp(organizationId, { provider })).id;
  return (await startAuthorization(organizationId, id, { returnTo })).authorizeUrl;
}

async function findUnfinished(organizationId: string, provider: SignInProvider): Promise<string | undefined> {
  const { items } = await listApps(organizationId);
  return items.find((app) => isUnfinished(app, provider))?.id;
}
