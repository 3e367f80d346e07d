import { isRecord } from './is-record';

/** What identifies a failure. Messages are left out, because they can contain personal data such as email addresses. */
const LOGGED = ['name', 'status', 'code', 'requestId'];

/** Logs a failed request in the browser console, as the specification requires. Screens show it with its message. */
export function logFailure(what: string, error: unknown): void {
  const known = isRecord(error) ? LOGGED.filter((name) => name in error).map((name) => [name, error[name]]) : [];
  console.warn(`${what} failed`, Object.fromEntries(known));
}
