import type { Mail } from '../core/outbox/mail.js';

interface KeyExpires {
  publicUrl: string;
  to: string;
  /** Whether the recipient created the key; otherwise the recipient is an owner. */
  isCreator: boolean;
  organizationId: string;
  organizationName: string;
  name: string;
  prefix: string;
  creatorEmail: string;
  expiresAt: Date;
}

const asDay = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

export function keyExpiresMail(key: KeyExpires): Mail {
  const { name, prefix, organizationName, isCreator } = key;
  const day = asDay.format(key.expiresAt);
  const creator = isCreator ? 'you' : key.creatorEmail;
  return {
    to: key.to,
    subject: `The API key ${name} expires on ${day}`,
    heading: `The API key ${name} expires on ${day}`,
    paragraphs: [
      `${name} (${prefix}…) of ${organizationName} was created by ${creator}. From ${day}, requests with this key are rejected.`,
      'If you still need it, create a new key, replace the old key where it is used, and revoke the old key.',
    ],
    button: { label: 'Open the API keys', url: `${key.publicUrl}/${key.organizationId}/settings?tab=api-keys` },
    note: isCreator
      ? `You get this because you created the key.`
      : `You get this because you are an owner of ${organizationName}.`,
  };
}
