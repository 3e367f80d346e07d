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

/** Null: the conversion is not sent to Meta. A goal of Microsoft has an event too, which is part of the goal. */
export const metaEventOf = (settings: Record<string, unknown> | null | undefined): string | null =>
  settings?.datasetId !== undefined && typeof settings.eventName === 'string' ? settings.eventName : null;
