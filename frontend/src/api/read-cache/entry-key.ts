/**
 * What is stored: what the lists and pages of an organization show. Left out are personal data of events and pushes, samples, and
 * answers to questions such as estimates.
 */
const STORED_KINDS: readonly string[] = [
  ...['organization', 'profile', 'subscription', 'members'],
  ...['apps', 'app', 'sources', 'source', 'destinations', 'destination'],
  ...['connections', 'connection', 'coverage', 'completeness', 'daily', 'runs', 'run'],
  ...['conversions', 'conversion', 'conversionFunnel', 'conversionRuns'],
  ...['payments', 'payment', 'recurringRevenue'],
];

/** SWR's text of a key such as `['connections', organizationId, filter]`; lists that load more pages have a prefix. */
const KEY = /^(?:\$inf\$)?@"(\w+)","([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/;

export interface EntryKey {
  kind: string;
  organizationId: string;
}

/** The kind and organization of a cache that is stored; null for all other caches. */
export function entryKeyOf(swrKey: string): EntryKey | null {
  const [, kind, organizationId] = KEY.exec(swrKey) ?? [];
  return kind !== undefined && organizationId !== undefined && STORED_KINDS.includes(kind) ? { kind, organizationId } : null;
}
