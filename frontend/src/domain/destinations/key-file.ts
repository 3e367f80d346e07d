import { isRecord } from '~/lib/is-record';

/** The account and project of a service account's key file, or why the file is invalid. */
export type KeyFile = { clientEmail: string; projectId: string | null } | { problem: string };

/** A key file has about 2.3 kB. The server rejects more than this. */
export const KEY_FILE_LIMIT = 20_000;

/** Validates a key file before it is sent. The private key must be present and is not used. */
export function readKeyFile(text: string): KeyFile {
  if (text.length > KEY_FILE_LIMIT)
    return { problem: 'This is too long for a key file. Paste the JSON key file of a service account' };
  const content = parse(text);
  if (!isRecord(content)) return { problem: 'This is not JSON. Paste the whole key file, from { to }' };
  if (isRecord(content.installed) || isRecord(content.web))
    return { problem: 'This is an OAuth client. Create a key for a service account instead' };
  if (content.type !== 'service_account')
    return { problem: 'This is not the key file of a service account. Paste the JSON key file of a service account' };
  if (typeof content.private_key !== 'string' || typeof content.client_email !== 'string')
    return { problem: 'The private key or the email address is missing. Paste the whole file' };
  return { clientEmail: content.client_email, projectId: typeof content.project_id === 'string' ? content.project_id : null };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
