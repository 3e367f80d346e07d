import { expect, test } from 'vitest';
import type { Alert } from '~/api/types';
import { fixOf } from './fix-of';

const ID = '0192f0c1-7a5e-7c3a-9f1e-5b8f6a2d4c10';
const alertOf = (kind: Alert['kind'], type: Alert['subject']['type'], paymentId: string | null = null) =>
  ({ kind, subject: { type, id: ID, name: 'Search', paymentId } }) as Alert;

test.each([
  ['connection.failing', 'connection', `/${ID}/connection/${ID}/configuration?tab=runs`],
  ['connection.partial', 'connection', `/${ID}/connection/${ID}/configuration?tab=runs`],
  ['connection.paused', 'connection', `/${ID}/connection/${ID}/configuration?tab=overview`],
  ['conversion.failing', 'conversion', `/${ID}/conversion/${ID}/configuration?tab=runs`],
  ['conversion.paused', 'conversion', `/${ID}/conversion/${ID}/configuration?tab=overview`],
  ['payment.webhook_missing', 'payment', `/${ID}/payment/${ID}/configuration`],
  ['app.needs_reauth', 'app', `/${ID}/app/${ID}`],
  ['destination.unreachable', 'destination', `/${ID}/destination/${ID}/configuration`],
  ['webhook.disabled', 'webhook_endpoint', `/${ID}/settings?tab=webhooks`],
] as const)('the button of %s leads to where it is resolved', (kind, type, to) =>
  expect(fixOf(ID, alertOf(kind, type))).toMatchObject({ to }),
);

test('the button of a connection of a payment leads to the payment', () => {
  const paymentId = '0192f0c1-7a5e-7c3a-9f1e-5b8f6a2d4c11';
  const to = `/${ID}/payment/${paymentId}/configuration`;
  expect(fixOf(ID, alertOf('connection.paused', 'connection', paymentId))).toEqual({ label: 'Open payment', to });
});
