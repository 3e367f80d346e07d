import type { ApiVersion } from '../kit/connector.js';
import type { Day } from '../kit/contract.js';

/**
 * Versions of the Marketing API were supported for 12 to 13 months, and Meta announces no end date in advance, so a year after
 * the release is assumed. v24.0 ended on the given day. The dates of Meta's changelog (2028-07-29 for v25.0) are of the Graph
 * API, which supports versions for two years; the Conversions API follows those.
 */
const ends: Record<string, Day> = { 'v24.0': '2026-10-06', 'v25.0': '2027-02-18', 'v26.0': '2027-07-29' };

export const apiVersion = (name: string): ApiVersion => ({ name, endsOn: ends[name] ?? null });
