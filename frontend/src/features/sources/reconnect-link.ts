import type { Source } from '~/api/types';
import { isAdPlatform, signInName } from '~/domain/accounts/providers';
import { paths } from '~/domain/navigation/paths';

/**
 * Where the access of a source is restored: in the sign-in of its platform or, with a key, on the page of its app. Only the sign-in
 * requires a permission to open: the page of the app is for all members.
 */
export const reconnectLink = (organizationId: string, { provider, appId }: Pick<Source, 'provider' | 'appId'>) =>
  isAdPlatform(provider)
    ? { isSignIn: true, label: `Reconnect with ${signInName(provider)}`, to: paths.reauth(provider, { app: appId }) }
    : { isSignIn: false, label: 'Open app', to: paths.app(organizationId, appId) };
