import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export const newSigningSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

export interface SignedMessage {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

/**
 * Headers of the Standard Webhooks specification (https://www.standardwebhooks.com). After a rotation the message is signed with both
 * secrets, separated by a space.
 */
export function signatureHeaders({ id, timestamp, body }: SignedMessage, secrets: string[]): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') };
}
