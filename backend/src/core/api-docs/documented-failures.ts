import type { Problem } from '../http/problem.js';

/**
 * Extra fields of a failed specified endpoint, in addition to the problem's fields: the specification's texts and empty lists.
 */
const FAILURES: Record<string, object> = {
  '/api/sendInvitation': { message: 'Error sending invitation.' },
  '/api/getPendingInvitation': { message: 'Error getting pending invitations.', invitations: [] },
  '/api/acceptInvitation': { message: 'Error accepting invitation.' },
  '/api/rejectInvitation': { message: 'Error rejecting invitation.' },
  '/api/removeMemberFromOrganization': { message: 'Error removing member from organization.' },
  '/api/getSentInvitation': { message: 'Error getting sent invitations.', invitations: [] },
  '/api/getTeamMembers': { members: [] },
};

/** Prefixes of the billing endpoints' error texts. */
const BILLING_FAILURES = [
  { call: '/billing/customer', text: 'Failed to create customer: ' },
  { call: '/billing/session-validity/', text: 'Failed to check for checkout session validity: ' },
];

/** Returns an empty object for the REST API. */
export function documentedFailure(path: string, { code, problem }: Problem): object {
  const billing = BILLING_FAILURES.find(({ call }) => path.startsWith(call));
  if (billing) return { success: false, message: `${billing.text}${problem.detail}` };
  if (!path.startsWith('/api/') || path.startsWith('/api/v1/')) return {};
  const failedToSave = path === '/api/getOrSaveUser' && (code === 'internal' || code === 'database.unavailable');
  const message = failedToSave ? 'Failed to create user in the database.' : problem.detail;
  return { success: false, message, ...FAILURES[path] };
}
