/** Part of the description of each table that Tributary creates. */
export const TABLE_MARKER = 'Loaded by Tributary';
/** Label of resources that Tributary creates. Users change labels less often than descriptions. */
export const OWN_LABEL = { tributary: 'owned' };
/** Messages of the assertions in scripts, used to recognize their failure. */
export const LEASE_LOST = 'tributary: the run is held by another worker';
export const ROWS_LOST = 'tributary: staged rows are missing';
