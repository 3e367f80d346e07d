import type { AuditEvent } from '~/api/types';

const WORDS: Record<string, string> = {
  'access.refused': 'Access denied',
  'access.revoked': 'Keys and links revoked',
  'super_admin.read': 'Viewed by support',
  'organization.transferred': 'Ownership transferred',
  'app.push_changed': 'Push endpoint changed',
  'app.push_key_made': 'Push key created',
  'app.push_key_revoked': 'Push key revoked',
};

/** `member.role_changed` → `Member role changed` */
export function describeAction(action: string): string {
  const known = WORDS[action];
  if (known) return known;
  const words = action.replaceAll(/[._]/g, ' ').replace(/^api key/, 'API key');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Name of what the event changed. Events of the whole organization have none of their own. */
export const describeTarget = ({ type, id, name }: AuditEvent['target'], organizationName: string | undefined): string =>
  name ?? (type === 'organization' ? organizationName : null) ?? id ?? '—';

type Actor = Pick<AuditEvent, 'actorKind' | 'actorEmail' | 'actorId' | 'apiKeyName'>;

/** Actor of the event, in one line. */
export function describeActor({ actorKind, actorEmail, actorId, apiKeyName }: Actor): string {
  if (actorKind === 'system') return 'Tributary';
  const person = actorEmail ?? actorId ?? 'Unknown';
  if (actorKind === 'api_key') return `Key ${apiKeyName ?? ''} of ${person}`.replace('  ', ' ');
  return actorKind === 'super_admin' ? `${person}, platform staff` : person;
}

const show = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return '—';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

export interface Change {
  field: string;
  before: string;
  after: string;
}

/** What changed, field by field. */
export function changesOf({ before, after }: Pick<AuditEvent, 'before' | 'after'>): Change[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].map((field) => ({ field, before: show(before?.[field]), after: show(after?.[field]) }));
}
