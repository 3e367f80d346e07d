import type { AuditFilter } from '~/api/audit';
import { addDays } from '~/lib/dates';

/** As it stands in the address: days are the reader's, both ends included. */
export interface AuditQuestion {
  actor: string;
  action: string;
  from: string;
  to: string;
}

const isDay = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
const isAction = (value: string): boolean => /^[a-z_]{1,40}\.[a-z_]{0,40}$/.test(value);

/** What in an address cannot be asked for is left out. */
export function readQuestion(parameters: URLSearchParams): AuditQuestion {
  const valid = (name: string, isValid: (value: string) => boolean): string => {
    const value = parameters.get(name) ?? '';
    return isValid(value) ? value : '';
  };
  return {
    actor: (parameters.get('actor') ?? '').slice(0, 320),
    action: valid('action', isAction),
    from: valid('from', isDay),
    to: valid('to', isDay),
  };
}

const startOfDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

/** The API takes moments: the last day counts up to its end. */
export const filterOf = ({ actor, action, from, to }: AuditQuestion): AuditFilter => ({
  ...(actor.trim() ? { actor: actor.trim() } : {}),
  ...(action ? { action } : {}),
  ...(from ? { from: startOfDay(from) } : {}),
  ...(to ? { to: startOfDay(addDays(to, 1)) } : {}),
});

export const isFiltered = (question: AuditQuestion): boolean => Object.values(question).some((value) => value !== '');

/** Kinds of things that are kept; each stands for all its actions. */
export const ACTION_KINDS = [
  { value: '', label: 'Everything' },
  { value: 'organization.', label: 'Organization' },
  { value: 'member.', label: 'Members' },
  { value: 'invitation.', label: 'Invitations' },
  { value: 'api_key.', label: 'API keys' },
  { value: 'app.', label: 'Apps' },
  { value: 'source.', label: 'Sources' },
  { value: 'destination.', label: 'Destinations' },
  { value: 'connection.', label: 'Connections' },
  { value: 'access.refused', label: 'Refused access' },
  { value: 'access.revoked', label: 'Revoked access' },
  { value: 'super_admin.read', label: 'Visits of platform staff' },
];
