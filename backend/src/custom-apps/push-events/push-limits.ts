import { LIST_LIMITS } from '../../core/http/limits.js';

/** Events of one call. */
export const PUSH_BATCH_EVENTS = 1_000;
/** Bytes of one event as JSON. */
export const PUSH_EVENT_BYTES = 32_000;
/** How long accepted events are kept, and so how long a repeated one is known. */
export const PUSH_EVENT_DAYS = 90;
/** What became of payloads is kept for whoever sets up the sender: this many of an app, this long. */
export const PUSH_RECEIPTS_KEPT = 100;
export const PUSH_RECEIPT_DAYS = 7;
/** As many are shown, and written for one call at most. */
export const PUSH_RECEIPTS_SHOWN = LIST_LIMITS.pushReceipts;
