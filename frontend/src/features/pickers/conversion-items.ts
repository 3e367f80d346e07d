import type { App } from '~/api/types';
import { isAdPlatform } from '~/domain/accounts/providers';

/** Apps for one side of a conversion. Ad platforms are destinations, warehouses and analytics are sources. */
export const appsFor = (side: 'source' | 'destination', apps: App[]): App[] =>
  apps.filter(
    ({ provider, state }) =>
      isAdPlatform(provider) === (side === 'destination') && (state === 'connected' || state === 'expiring'),
  );
