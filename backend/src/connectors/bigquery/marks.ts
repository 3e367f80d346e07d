/** Written by Tributary into the description of each table it makes. */
export const TABLE_MARKER = 'Loaded by Tributary';
/** Label of what Tributary has made: a description may be rewritten, a label seldom is. */
export const OWN_LABEL = { tributary: 'owned' };
/** Words of our own assertions, by which their failure is known again. */
export const LEASE_LOST = 'tributary: the run is held by another worker';
export const ROWS_LOST = 'tributary: staged rows are missing';
