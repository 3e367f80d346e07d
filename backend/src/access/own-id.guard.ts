import { Problem } from '../core/http/problem.js';
import type { Identity } from './access.decorator.js';

/** Payloads of the specified endpoints may contain the caller's id. It is never used, and a wrong one is rejected. */
export function assertOwnId(identity: Identity, claimed: { userId?: string; email?: string }): void {
  const isOtherId = claimed.userId !== undefined && claimed.userId !== identity.uid;
  const isOtherEmail = claimed.email !== undefined && claimed.email.toLowerCase() !== identity.email;
  if (isOtherId || isOtherEmail) throw new Problem('access.not_yours', 'You can only do this for your own account.');
}
