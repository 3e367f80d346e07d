/** All product events. */
export const EVENT_NAMES = [
  'Account Created',
  'Connection Created',
  'Source Created',
  'Destination Created',
  'Error Received',
  'Organization Created',
  'Organization Joined',
  'Source Deleted',
  'Destination Deleted',
  'Source Reauthenticated',
  'Destination Reauthenticated',
  'Connection Deleted',
  'Connection Historical Backfill Started',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];
