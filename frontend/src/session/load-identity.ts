import { loadConfig } from '~/api/http/config';
import type { Identity } from './identity';

let pending: Promise<Identity> | null = null;

/** Loads the identity provider's script and the instance's settings concurrently. */
export function loadIdentity(): Promise<Identity> {
  pending ??= Promise.all([loadConfig(), import('./identity')])
    .then(([config, { createIdentity }]) => createIdentity(config))
    .catch((error: unknown) => {
      pending = null;
      throw error;
    });
  return pending;
}
