import type { AuditFilter } from '~/api/audit';
import { addDays, startOfDay } from '~/lib/dates';

/** Filter as stored in the URL. Days are in the user's time zone, first and last day included. */
export interface AuditFilterValues {
  actor: string;
  action: string;
  from: string;
  to: string;
}

const isDay = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
const isAction = (value: string): boolean => /^[a-z_]{1,40}\.[a-z_]{0,40}$/.test(value);

/** Invalid values in the URL are ignored. */
export function readFilterValues(parameters: URLSearchParams): AuditFilterValues {
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

/** The API takes timestamps. The end is the start of the day after the last day. */
export const filterOf = ({ actor, action, from, to }: AuditFilterValues): AuditFilter => ({
  ...(actor.trim() ? { actor: actor.trim() } : {}),
  ...(action ? { action } : {}),
  ...(from ? { from: startOfDay(from) } : {}),
  ...(to ? { to: startOfDay(addDays(to, 1)) } : {}),
});

export const isFiltered = (filterValues: AuditFilterValues): boolean => Object.values(filterValues).some((value) => value !== '');

/** Filter options. A value that ends with a dot matches all actions of that kind. */
export const ACTION_KINDS = [
  { value: '', label: 'All events' },
  { value: 'organization.', label: 'Organization' },
  { value: 'member.', label: 'Members' },
  { value: 'invitation.', label: 'Invitations' },
  { value: 'api_key.', label: 'API keys' },
  { value: 'app.', label: 'Apps' },
  { value: 'source.', label: 'Sources' },
  { value: 'destination.', label: 'Destinations' },
  { value: 'connection.', label: 'Connections' },
  { value: 'backfill.', label: 'Backfills' },
  { value: 'resync.', label: 'Re-syncs' },
  { value: 'conversion.', label: 'Conversions' },
  { value: 'payment.', label: 'Payments' },
  { value: 'alert.', label: 'Alerts' },
  { value: 'notification_rule.', label: 'Notification rules' },
  { value: 'webhook.', label: 'Webhooks' },
  { value: 'badge.', label: 'Badges' },
  { value: 'submission.', label: 'Integration requests' },
  { value: 'configuration.', label: 'Export and import' },
  { value: 'billing.', label: 'Billing' },
  { value: 'access.refused', label: 'Denied access' },
  { value: 'access.revoked', label: 'Revoked access' },
  { value: 'super_admin.read', label: 'Support access' },
];
