import type { PushEndpoint } from '~/api/types';

/** Shell variable used when the key is unknown. */
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

/** Sample event that matches the fields of the schema, or a sale if there is no schema. */
export function sampleEvent({ schema, dedupeField }: Pick<PushEndpoint, 'schema' | 'dedupeField'>): Record<string, unknown> {
  const properties = (schema?.properties ?? null) as Record<string, object> | null;
  const event = properties
    ? Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, sampleOf(property)]))
    : { orderId: 'A-1001', value: 59.9, currency: 'EUR' };
  return dedupeField === null || dedupeField in event ? event : { [dedupeField]: 'A-1001', ...event };
}

/** Shell command. Apostrophes in the body are escaped, because they would end the quotes. */
export function sampleCurl(endpoint: PushEndpoint, key: string | null): string {
  const body = JSON.stringify(sampleEvent(endpoint)).replaceAll("'", '\\u0027');
  return [
    `curl -X POST '${endpoint.url}' \\`,
    `  -H "Authorization: Bearer ${key ?? KEY_VARIABLE}" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}
