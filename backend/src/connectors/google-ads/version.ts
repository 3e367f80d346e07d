import type { ApiVersion } from '../kit/connector.js';
import type { Day } from '../kit/contract.js';

/**
 * Major versions end after about twelve months. Google announces the month; its first day is used here. Sources: Google's release
 * notes and sunset reminders, as of November 2026.
 */
const ends: Record<string, Day> = { v23: '2027-02-01', v24: '2027-05-01', v25: '2027-08-01', v26: '2027-10-01' };

export const apiVersion = (name: string): ApiVersion => ({ name, endsOn: ends[name] ?? null, isListed: name in ends });
