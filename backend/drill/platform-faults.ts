import { type DestinationKind, type SourceKind, sources } from './pairs.js';

export interface PlatformFault {
  /** The line of the table in which it is counted. */
  kind: string;
  /** A source's provider or a destination: its connections are the ones that the fault may hit. */
  at: SourceKind['provider'] | DestinationKind;
  /** As the sandbox's administration expects it. */
  body: { provider: string; fault: string; [parameter: string]: unknown };
}

const of =
  (at: PlatformFault['at'], provider: string) =>
  (kind: string, fault: string, parameters: object = {}): PlatformFault => ({
    kind,
    at,
    body: { provider, fault, ...parameters },
  });

const google = of('google_ads', 'google-ads');
const meta = of('meta_ads', 'meta-ads');
const microsoft = of('microsoft_ads', 'microsoft-ads');
const bigquery = of('bigquery', 'bigquery');
const mixpanel = of('mixpanel', 'mixpanel');

export const platformFaults: PlatformFault[] = [
  google('repeated page', 'repeat_page'),
  google('truncated page', 'truncate_rows'),
  google('truncated page', 'truncate_json'),
  google('throttled', 'throttle', { retryDelaySeconds: 1 }),
  google('connection lost', 'drop_connection'),
  google('platform unavailable', 'unavailable'),
  meta('repeated page', 'repeat_page'),
  meta('shifted page', 'short_pages', { rows: 7 }),
  meta('truncated page', 'lose_pages'),
  meta('truncated page', 'truncate', { rows: 3 }),
  meta('throttled', 'throttle'),
  meta('connection lost', 'drop_connection'),
  meta('platform unavailable', 'server_error'),
  microsoft('repeated page', 'repeat_rows'),
  microsoft('truncated page', 'truncate_rows'),
  microsoft('truncated page', 'truncate_zip'),
  microsoft('throttled', 'throttle'),
  microsoft('connection lost', 'drop_connection'),
  microsoft('platform unavailable', 'report_error'),
  bigquery('failure after applying', 'fails_after_applying', { resource: 'query' }),
  bigquery('failure after applying', 'fails_after_applying', { resource: 'load' }),
  bigquery('rows not stored', 'drop_rows', { everyNth: 9 }),
  bigquery('platform unavailable', 'concurrent_update'),
  bigquery('connection lost', 'drop_connection'),
  mixpanel('failure after applying', 'fail_after_applying'),
  mixpanel('failure after applying', 'fail_after_applying', { drop: true }),
  mixpanel('repeated page', 'repeat_events'),
  mixpanel('truncated page', 'truncate', { endpoint: 'export' }),
  mixpanel('rows not stored', 'drop_events', { everyNth: 9 }),
];

/** Faults that make every answer of the sources late, so that other faults hit runs in the middle. */
export const slowSources = (delayMs: number): object[] => sources.map(({ path }) => ({ provider: path, fault: 'slow', delayMs }));
