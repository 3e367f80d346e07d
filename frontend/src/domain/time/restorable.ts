import { addDays, formatDay, localDay } from '~/lib/dates';

/** How long the server stores deleted items. */
const RESTORABLE_DAYS = 30;

/** `You can restore it until Dec 20.` */
export const restorableNote = (now: Date): string =>
  `You can restore it until ${formatDay(addDays(localDay(now), RESTORABLE_DAYS), now)}.`;
