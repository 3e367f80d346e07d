import { isRecord } from '~/lib/is-record';

/** What the signed `state` of a sign-in says of itself. A hint only: the server alone checks the signature. */
export interface StateHint {
  organizationId: string | null;
  appId: string | null;
}

const NOTHING: StateHint = { organizationId: null, appId: null };
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The middle part of the token, read and not verified; nothing of it when it is no token. */
export function readStateHint(state: string): StateHint {
  const [, payload] = state.split('.');
  if (!payload) return NOTHING;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return isRecord(claims) ? { organizationId: text(claims.organizationId), appId: text(claims.appId) } : NOTHING;
  } catch {
    return NOTHING;
  }
}
