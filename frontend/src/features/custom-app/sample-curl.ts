import type { PushEndpoint } from '~/api/types';

/** Stands where the key goes while it is not known; the shell replaces it. */
const KEY_VARIABLE = '$TRIBUTARY_PUSH_KEY';

const sampleOf = ({ type, enum: choices, format }: { type?: unknown; enum?: unknown[]; format?: unknown }): unknown => {
  if (choices?.[0] !== undefined) return choices[0];
  const [kind] = [type].flat();
  if (kind === 'number' || kind === 'integer') return 12;
  if (kind === 'boolean') return true;
  if (kind === 'array') return [];
  if (kind === 'object') return {};
  if (format === 'date-time') return '2026-11-20T12:00:00Z';
  if (format === 'date') return '2026-11-20';
  return format === 'email' ? 'buyer@example.com' : 'A-1001';
};

/** An event that meets the schema as far as its fields say; without one, a sale. */
export function sampleEvent({ schema, dedupeField }: Pick<PushEndpoint, 'schema' | 'dedupeField'>): Record<string, unknown> {
  const properties = (schema?.properties ?? null) as Record<string, object> | null;
  const event = properties
    ? Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, sampleOf(property)]))
    : { orderId: 'A-1001', value: 59.9, currency: 'EUR' };
  return dedupeField === null || dedupeField in event ? event : { [dedupeField]: 'A-1001', ...event };
}

/** Ready to be pasted into a shell. An apostrophe in a sample would end the quotes. */
export function sampleCurl(endpoint: PushEndpoint, key: string | null): string {
  const body = JSON.stringify(sampleEvent(endpoint)).replaceAll("'", '\\u0027');
  return [
    `curl -X POST '${endpoint.url}' \\`,
    `  -H "Authorization: Bearer ${key ?? KEY_VARIABLE}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}
