/** The most common of Meta's standard events: https://developers.facebook.com/docs/meta-pixel/reference */
export const metaEvents = [
  'Purchase',
  'Lead',
  'CompleteRegistration',
  'Subscribe',
  'StartTrial',
  'Schedule',
  'Contact',
  'SubmitApplication',
];

/** Null: the conversion is not sent to Meta. */
export const metaEventOf = (settings: Record<string, unknown> | null | undefined): string | null =>
  typeof settings?.eventName === 'string' ? settings.eventName : null;
