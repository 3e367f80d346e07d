/** Days during which deleted resources can be restored. After that they are purged. */
export const RESTORABLE_DAYS = 30;
