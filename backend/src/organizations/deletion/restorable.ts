/** How long what people delete can be restored; after that it is purged. */
export const RESTORABLE_DAYS = 30;
