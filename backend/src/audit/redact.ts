/** A hash of a secret ends in "hash": `keyHash`, `token_hash`. `hashedFields` are names of columns. */
const SECRET_NAME = /password|secret|token|credential|authorization|hash$|private/i;
const MAX_TEXT_LENGTH = 300;

/** Long texts are shortened, because the audit trail shows what changed and is no backup. Data URLs are pictures. */
const isLong = (text: string): boolean => text.length > MAX_TEXT_LENGTH || text.startsWith('data:');

/** Returns a copy without secrets at any depth. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return isLong(value) ? `${value.slice(0, 40)}… (${value.length} characters)` : value;
  if (Array.isArray(value)) return value.map(redact);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, SECRET_NAME.test(name) ? '***' : redact(inner)]));
}
