import { definePushSource } from '../kit/declaration.js';
import type { Stream } from '../kit/contract.js';

/** Events that external systems push to a custom app. One table for all custom apps; the app is the account. */
export const customEvents: Stream = {
  name: 'events',
  title: 'Events',
  description: 'Every event that was pushed to the custom app, with its content as JSON.',
  table: 'custom_events',
  columns: [
    { name: 'account_id', type: 'text', description: 'Id of the custom app.' },
    { name: 'date', type: 'date', description: 'Day on which the event was received, in UTC.' },
    { name: 'event_id', type: 'text', description: 'Id that Tributary gave the event.' },
    { name: 'received_at', type: 'text', description: 'When the event was received, in ISO 8601 and UTC.' },
    { name: 'dedupe_key', type: 'text', description: 'Hash of the field that identifies the event. Empty if the app has none.' },
    { name: 'payload', type: 'text', description: 'The event as it was sent, as JSON.' },
  ],
  key: ['account_id', 'date', 'event_id'],
  level: 'account',
  breakdowns: [],
  metrics: { costMicros: null, clicks: null, impressions: null },
  verification: 'exact_rows',
  lookbackReason:
    'Events keep the day on which they were received. The day before is read again, because it may have been loaded before its end.',
};

/** Pushed events are stored for 90 days. Two months are always complete. */
const HISTORY_MONTHS = 2;

export const custom = definePushSource({
  provider: 'custom',
  displayName: 'Custom app',
  category: 'custom',
  description: 'An endpoint of your own that receives events from any system, and a form to request a missing integration.',
  streams: [customEvents],
  historyMonths: HISTORY_MONTHS,
  settingsSchema: null,
  signIn: { kind: 'push_key' },
});
