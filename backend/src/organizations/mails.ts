import type { Mail } from '../core/outbox/mail.js';

interface KeyExpires {
  publicUrl: string;
  to: string;
  /** Whether the mail goes to who made the key; otherwise to an owner. */
  isMaker: boolean;
  organizationId: string;
  organizationName: string;
  name: string;
  prefix: string;
  makerEmail: string;
  expiresAt: Date;
}

const asDay = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

export function keyExpiresMail(key: KeyExpires): Mail {
  const { name, prefix, organizationName, isMaker } = key;
  const day = asDay.format(key.expiresAt);
  const maker = isMaker ? 'you' : key.makerEmail;
  return {
    to: key.to,
    subject: `The API key ${name} expires on ${day}`,
    heading: `The API key ${name} expires on ${day}`,
    paragraphs: [
      `${name} (${prefix}…) of ${organizationName} was created by ${maker}. From ${day} on, programs that use it are refused.`,
      'If it is still needed, create a new key, replace it where it is used, and revoke the old one.',
    ],
    button: { label: 'Open the API keys', url: `${key.publicUrl}/${key.organizationId}/settings?tab=api-keys` },
    note: isMaker ? `You get this because you created the key.` : `You get this because you are an owner of ${organizationName}.`,
  };
}
