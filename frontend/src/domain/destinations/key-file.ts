import { isRecord } from '~/lib/is-record';

/** What can be told of a service account's key file without using it. */
export type KeyFile = { clientEmail: string; projectId: string | null } | { problem: string };

/** A key file is about 2.3 kB; the server refuses anything above this. */
export const KEY_FILE_LIMIT = 20_000;

/** Names what is wrong before anything is sent; the private key itself is only looked for. */
export function readKeyFile(text: string): KeyFile {
  if (text.length > KEY_FILE_LIMIT) return { problem: 'This is too long to be a key file' };
  const content = parse(text);
  if (!isRecord(content)) return { problem: 'This is not JSON: paste the whole key file, from { to }' };
  if (isRecord(content.installed) || isRecord(content.web))
    return { problem: 'This is an OAuth client, not a service account: make a key of a service account' };
  if (content.type !== 'service_account') return { problem: 'This is not the key file of a service account' };
  if (typeof content.private_key !== 'string' || typeof content.client_email !== 'string')
    return { problem: 'The private key or the e-mail address is missing: paste the whole file' };
  return { clientEmail: content.client_email, projectId: typeof content.project_id === 'string' ? content.project_id : null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
