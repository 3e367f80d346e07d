import type { Mail } from '../../core/outbox/mail.js';
import type { Decision } from './submission-states.js';

interface Moved {
  to: string;
  publicUrl: string;
  organizationId: string;
  organizationName: string;
  appId: string;
  title: string | null;
  state: Decision;
  note: string | null;
}

const WORDS: Record<Decision, { heading: (title: string) => string; text: string }> = {
  in_review: { heading: (title) => `${title} is in review`, text: 'We are reviewing your request for an integration.' },
  available: { heading: (title) => `${title} is available`, text: 'The integration you requested is now available.' },
  declined: { heading: (title) => `${title} was declined`, text: 'The integration you requested will not be built.' },
};

/** Notifies the submitter of the new state. */
export function submissionMovedMail({ to, publicUrl, organizationId, organizationName, appId, title, state, note }: Moved): Mail {
  const { heading, text } = WORDS[state];
  const subject = heading(title ?? 'Your integration');
  return {
    to,
    subject,
    heading: subject,
    paragraphs: [text, ...(note === null ? [] : [note])],
    button: { label: 'View the request', url: `${publicUrl}/${organizationId}/app/${appId}/custom-submission` },
    note: `You get this because you submitted the request for ${organizationName}.`,
  };
}
