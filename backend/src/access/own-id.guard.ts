import { Problem } from '../core/http/problem.js';
import type { Identity } from './access.decorator.js';

/** Payloads of the documented calls may repeat who is calling. It is never believed; a wrong one is refused. */
export function assertOwnId(identity: Identity, claimed: { userId?: string; email?: string }): void {
  const isForeignId = claimed.userId !== undefined && claimed.userId !== identity.uid;
  const isForeignEmail = claimed.email !== undefined && claimed.email.toLowerCase() !== identity.email;
  if (isForeignId || isForeignEmail) throw new Problem('access.not_yours', 'You can only do this for yourself.');
}
