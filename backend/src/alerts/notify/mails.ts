import type { Mail } from '../../core/outbox/mail.js';
import { pathOf, titleOf } from '../alert-kinds.js';
import { type NotifiedAlert, pageSubjectOf } from './notified-alert.js';

export interface Recipient {
  to: string;
  publicUrl: string;
  organizationId: string;
  organizationName: string;
}

const BUTTONS: Record<NotifiedAlert['subjectType'], string> = {
  connection: 'Open the connection',
  app: 'Open the app',
  destination: 'Open the destination',
  webhook_endpoint: 'Open the webhooks',
  conversion: 'Open the conversion',
  payment: 'Open the payment',
};

export function alertMail(alert: NotifiedAlert, isRecovered: boolean, recipient: Recipient): Mail {
  const title = titleOf(alert.kind, alert.subjectName, isRecovered);
  const { to, publicUrl, organizationId, organizationName } = recipient;
  const page = pageSubjectOf(alert);
  return {
    to,
    subject: `${title} (${organizationName})`,
    heading: title,
    paragraphs: isRecovered ? ['Nothing more needs to be done.'] : [alert.message, `What to do: ${alert.action}.`],
    button: {
      label: BUTTONS[page.type],
      url: publicUrl + pathOf(organizationId, page),
    },
    note: whyReceived(recipient),
  };
}

export const whyReceived = ({ organizationName }: Recipient): string =>
  `You get this because of a notification rule of ${organizationName}. Admins can change it in Settings, Notifications.`;
