import { type EgressPolicy, resolveAllowed } from '../../kit/egress.js';
import type { PostgresqlSettings } from '../settings.js';
import { dial, encrypt } from './socket.js';

const TIMEOUT_MS = 5_000;

/** Whether the server encrypts with a trusted certificate of its host. Does not sign in. */
export async function hasValidCertificate(
  { host, port }: Pick<PostgresqlSettings, 'host' | 'port'>,
  egress: EgressPolicy,
  outer: AbortSignal,
): Promise<boolean> {
  const signal = AbortSignal.any([outer, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const place = { host, port, address: await resolveAllowed(host, egress, signal) };
    const { socket, offersTls } = await dial(place, signal);
    const secure = offersTls ? await encrypt(socket, place, false, signal) : socket;
    secure.destroy();
    return 'authorized' in secure && secure.authorized === true;
  } catch {
    // The check reports why the server cannot be reached.
    return false;
  }
}
