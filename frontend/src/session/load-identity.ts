import { loadConfig } from '~/api/http/config';
import type { Identity } from './identity';

let pending: Promise<Identity> | null = null;

/** The provider's script and this instance's settings, fetched side by side. */
export function loadIdentity(): Promise<Identity> {
  pending ??= Promise.all([loadConfig(), import('./identity')])
    .then(([config, { createIdentity }]) => createIdentity(config))
    .catch((error: unknown) => {
      pending = null;
      throw error;
    });
  return pending;
}
