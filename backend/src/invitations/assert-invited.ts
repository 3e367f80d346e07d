import type { Identity } from '../access/index.js';
import { notFound, Problem } from '../core/http/problem.js';
import { isToken } from './invitation-token.js';

interface Invited {
  email: string;
  tokenHash: string;
}

/**
 * The invited person only: the same e-mail, and a sign that it is theirs, which is a verification by the identity provider or the
 * token that only the mail holds. To a stranger without the token there is no such invitation.
 */
export function assertInvited(identity: Identity, { email, tokenHash }: Invited, token: string | undefined): void {
  const hasToken = isToken(token, tokenHash);
  if (identity.email !== email) {
    if (!hasToken) throw notFound('The invitation');
    throw new Problem('invitation.other_email', {
      detail: `The invitation is for ${email}; you are signed in as ${identity.email}.`,
      action: 'Switch account',
    });
  }
  if (identity.isEmailVerified || hasToken) return;
  throw new Problem('invitation.unverified_email', {
    detail: 'Your e-mail is not verified.',
    action: 'Open the link of the mail, or verify your e-mail first',
  });
}
