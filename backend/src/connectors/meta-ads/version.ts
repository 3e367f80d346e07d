import type { ApiVersion } from '../kit/connector.js';
import type { Day } from '../kit/contract.js';

/**
 * Versions of the Marketing API live about a year, and Meta names no day beforehand: a year after the release is taken. The
 * dates that its changelog gives (2028-07-29 for v25.0) are of the Graph API, which lives longer.
 */
const ends: Record<string, Day> = { 'v24.0': '2026-10-08', 'v25.0': '2027-02-18', 'v26.0': '2027-07-29' };

export const apiVersion = (name: string): ApiVersion => ({ name, endsOn: ends[name] ?? null });
