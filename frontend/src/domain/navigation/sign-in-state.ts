import { isRecord } from '~/lib/is-record';

/** The unverified claims of a sign-in's `state` token. Only a hint: the server checks the signature. */
export interface StateHint {
  organizationId: string | null;
  appId: string | null;
}

const EMPTY: StateHint = { organizationId: null, appId: null };
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Decodes the token's payload without verifying it. Returns an empty hint for an invalid token. */
export function readStateHint(state: string): StateHint {
  const [, payload] = state.split('.');
  if (!payload) return EMPTY;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return isRecord(claims) ? { organizationId: text(claims.organizationId), appId: text(claims.appId) } : EMPTY;
  } catch {
    return EMPTY;
  }
}
