import type { Identity } from '../access/index.js';
import { notFound, Problem } from '../core/http/problem.js';
import { isToken } from './invitation-token.js';

interface Invited {
  email: string;
  tokenHash: string;
}

/**
 * Allows only the invited person: the e-mail must match, and must be verified by the identity provider or by the mailed token.
 * Other users without the token get 404.
 */
export function assertInvited(identity: Identity, { email, tokenHash }: Invited, token: string | undefined): void {
  const hasToken = isToken(token, tokenHash);
  if (identity.email !== email) {
    if (!hasToken) throw notFound('The invitation');
    throw new Problem('invitation.other_email', {
      detail: `The invitation is for ${email}. You are signed in as ${identity.email}.`,
      action: 'Switch account',
    });
  }
  if (identity.isEmailVerified || hasToken) return;
  throw new Problem('invitation.unverified_email', {
    detail: 'Your e-mail address is not verified.',
    action: 'Open the link in the mail, or verify your e-mail address',
  });
}
