import type { Day } from './contract.js';

const format = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });

/** `Nov 21, 2026`, for messages: they are stored, so the year is part of the text. */
export const dayText = (day: Day): string => format.format(new Date(`${day}T00:00:00Z`));
