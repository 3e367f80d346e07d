/**
 * Parts of a payload that the platforms expect in clear text and that may identify a person. They are stored encrypted, and only
 * until the event has its final state.
 */
const PRIVATE = /^(client_?)?(ip_?address|user_?agent)$|^external_?id$|^anonymous_?id$|^(event_?source_?|page_?|referrer_?)url$/i;

type Json = Record<string, unknown>;
/** Values by their path in the payload: `{"user_data.client_ip_address": "…"}`. */
export type PrivateFields = Record<string, unknown>;

/** Hashes stay: SHA-256 in hexadecimal or base64. */
const isHash = (value: unknown): boolean =>
  typeof value === 'string' && (/^[0-9a-f]{64}$/i.test(value) || /^[\w+/-]{43}=?$/.test(value));

const isPrivate = (key: string, value: unknown): boolean =>
  PRIVATE.test(key) && !(Array.isArray(value) ? value.every(isHash) : isHash(value));

export function separate(payload: Json): { payload: Json; privateFields: PrivateFields | null } {
  const found: PrivateFields = {};
  const walk = (value: unknown, path: string[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...path, String(index)]));
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).flatMap(([key, content]) => {
      if (!isPrivate(key, content)) return [[key, walk(content, [...path, key])]];
      found[[...path, key].join('.')] = content;
      return [];
    });
    return Object.fromEntries(kept) as Json;
  };
  const rest = walk(payload, []) as Json;
  return { payload: rest, privateFields: Object.keys(found).length > 0 ? found : null };
}

export function restore(payload: Json, privateFields: PrivateFields): Json {
  const result = structuredClone(payload);
  for (const [path, value] of Object.entries(privateFields)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    let target: Json = result;
    for (const key of keys) target = (target[key] ??= {}) as Json;
    target[last] = value;
  }
  return result;
}
