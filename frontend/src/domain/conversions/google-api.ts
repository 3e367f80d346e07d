/** Which of Google's APIs receives the events of a conversion. */
export type GoogleApi = 'data_manager' | 'google_ads_upload';

export const googleApis: { id: GoogleApi; title: string; detail: string }[] = [
  {
    id: 'data_manager',
    title: 'Data Manager API',
    detail: 'For all accounts. A full refund sets the value to 0, and Google Ads still counts the conversion.',
  },
  {
    id: 'google_ads_upload',
    title: 'Click uploads of the Google Ads API',
    detail:
      'Closed to new developers since 15 June 2026: only if this installation uploaded clicks before. A full refund removes the conversion.',
  },
];

export const uploadRefunds =
  'A refund lowers the value of the conversion, and a full refund removes it. Google Ads accepts both from 24 hours to 54 days after the event.';

/** Null: the conversion is not sent to Google Ads. */
export function googleApiOf(settings: Record<string, unknown> | null | undefined): GoogleApi | null {
  if (settings?.conversionActionId === undefined) return null;
  return settings.api === 'google_ads_upload' ? 'google_ads_upload' : 'data_manager';
}
