import type { App } from '~/api/types';
import { isAdPlatform } from '~/domain/accounts/providers';

/** Conversions are sent to ad platforms, and come from where events and revenue are kept. */
export const appsFor = (side: 'source' | 'destination', apps: App[]): App[] =>
  apps.filter(
    ({ provider, state }) =>
      isAdPlatform(provider) === (side === 'destination') && (state === 'connected' || state === 'expiring'),
  );
