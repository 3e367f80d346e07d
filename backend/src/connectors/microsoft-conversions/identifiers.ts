import { readEmail, withoutDotsAndTag, type IdentifierRules } from '../kit/identifiers.js';
import { toE164 } from '../kit/phone-number.js';

/** Stored with each event. Increment it when a rule changes, because the hashes change too. */
export const RULES_VERSION = 'microsoft/1';

/**
 * UET Conversions API guide. Microsoft publishes these rules for that API only. They are used for offline conversions too, because
 * both are matched with the same people.
 */
export const rules = {
  email: normalizeEmail,
  phone: toE164,
} satisfies IdentifierRules;

/** Without dots and without everything after a plus, in every domain. */
function normalizeEmail(text: string): string | null {
  const parts = readEmail(text);
  const local = withoutDotsAndTag(parts?.local ?? '');
  return parts && local ? `${local}@${parts.domain}` : null;
}

/** An authenticated user's id. Compared with the one of the website's tag, so it is not changed. */
export const normalizeExternalId = (text: string): string | null => text.trim() || null;

/** A click id is a UUID, usually without hyphens. Others are rejected with the whole event. */
export function readClickId(text: string | undefined): string | null {
  const id = (text ?? '').trim();
  return /^[0-9a-f]{8}(-?)([0-9a-f]{4}\1){3}[0-9a-f]{12}$/i.test(id) ? id : null;
}
