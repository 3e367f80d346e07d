import { readEmail, withoutDotsAndTag, type IdentifierRules } from '../kit/identifiers.js';
import { readCountry, toE164 } from '../kit/phone-number.js';

/** Stored with each event. Increment it when a rule changes, because the hashes change too. */
export const RULES_VERSION = 'google/1';

/** Domains in which Google ignores dots and everything after a plus. In other domains they distinguish addresses. */
const ownDomains = new Set(['gmail.com', 'googlemail.com']);

/**
 * Data Manager API, "Formatting user data", as implemented by Google's own formatter (googleads/data-manager-node). The formatter
 * keeps hyphens and apostrophes in names, although the reference says "no punctuation".
 */
export const rules = {
  email: normalizeEmail,
  phone: toE164,
  firstName: withoutPrefix,
  lastName: withoutSuffixes,
} satisfies IdentifierRules;

function normalizeEmail(text: string): string | null {
  const parts = readEmail(text);
  if (!parts) return null;
  const local = ownDomains.has(parts.domain) ? withoutDotsAndTag(parts.local) : parts.local;
  return local === '' ? null : `${local}@${parts.domain}`;
}

/** `Dr. Alex` → `alex`. A prefix is recognized only with its dot. */
function withoutPrefix(text: string): string | null {
  const name = text.trim().toLowerCase();
  return name.replace(/^(mr|mrs|ms|dr)\.(\s+|$)/, '') || null;
}

const suffixes = new Set(
  ['jr', 'jr.', 'sr', 'sr.', '2nd', '3rd', 'ii', 'iii', 'iv', 'v', 'vi'].concat(
    ['cpa', 'dc', 'dds', 'vm', 'jd', 'md', 'phd'], // Degrees and titles.
  ),
);

/** `Quinn, Jr.` → `quinn`. Several suffixes may follow each other. */
function withoutSuffixes(text: string): string | null {
  let name = text.trim().toLowerCase();
  for (;;) {
    const [, rest, last] = /^(.*?)[\s,]+([^\s,]+)$/.exec(name) ?? [];
    if (rest === undefined || last === undefined || !suffixes.has(last)) return name || null;
    name = rest;
  }
}

/** Sent unhashed, as part of an address. */
export const toRegionCode = readCountry;

/** Sent unhashed, as part of an address. */
export const toPostalCode = (text: string): string | null => text.trim() || null;
