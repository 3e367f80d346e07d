import type { ApiVersion } from '../kit/connector.js';
import type { Day } from '../kit/contract.js';

/**
 * Last days of Marketing API versions. v24.0: Meta's page of versions. v25.0: its changelog of the Marketing API. For newer ones
 * Meta names no day yet. They have lived 12 to 13 months, so a year after the release is assumed. The dates of the changelog of
 * the Graph API (2028-07-29 for v25.0) do not apply: it supports versions for two years, and the Conversions API follows those.
 */
const ends: Record<string, Day> = {
  'v24.0': '2026-10-06',
  'v25.0': '2027-02-23',
  'v26.0': '2027-07-29',
  'v27.0': '2027-11-04',
};

export const apiVersion = (name: string): ApiVersion => ({ name, endsOn: ends[name] ?? null, isListed: name in ends });
