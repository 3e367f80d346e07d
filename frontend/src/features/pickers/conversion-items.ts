import type { App } from '~/api/types';
import { isAdPlatform } from '~/domain/accounts/providers';

/** Ad platforms with working access. They receive the events of conversions. */
export const conversionDestinations = (apps: App[]): App[] =>
  apps.filter(({ provider, state }) => isAdPlatform(provider) && (state === 'connected' || state === 'expiring'));
