/** Part of the description of each table that Tributary creates. */
export const TABLE_MARKER = 'Loaded by Tributary';
/** Label of resources that Tributary creates. Users change labels less often than descriptions. */
export const OWN_LABEL = { tributary: 'owned' };
/** Label of a table that a re-sync has replaced. The value is the creation time of the new table from which it was filled. */
export const RESYNC_LABEL = 'tributary_resync';
/** Messages of the assertions in scripts, used to recognize their failure. */
export const LEASE_LOST = 'tributary: the run is held by another worker';
/** A re-sync replaces the table of the slice. */
export const TABLE_REPLACED = 'tributary: the table is being replaced';
/** The swap was ended, by this worker or another one, before its statement began. */
export const SWAP_ENDED = 'tributary: the swap was ended';
export const ROWS_LOST = 'tributary: staged rows are missing';
