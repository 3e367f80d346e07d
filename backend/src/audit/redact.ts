const SECRET_NAME = /password|secret|token|credential|authorization|hash|private/i;
const LONGEST_TEXT = 300;

/** Cut: the trail tells what changed, it is no copy of it. Data URLs are pictures. */
const isLong = (text: string): boolean => text.length > LONGEST_TEXT || text.startsWith('data:');

/** A copy without secrets, however deep they lie. */
export function redact(value: unknown): unknown {
  if (typeof value === 'string') return isLong(value) ? `${value.slice(0, 40)}… (${value.length} characters)` : value;
  if (Array.isArray(value)) return value.map(redact);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, SECRET_NAME.test(name) ? '***' : redact(inner)]));
}
