import { addDays, formatDay, localDay } from '~/lib/dates';

/** How long the server keeps what people delete. */
const RESTORABLE_DAYS = 30;

/** `It can be restored until Dec 20.` */
export const restorableNote = (now: Date): string =>
  `It can be restored until ${formatDay(addDays(localDay(now), RESTORABLE_DAYS), now)}.`;
