import { LIST_LIMITS } from '../../core/http/limits.js';

/** Events of one call. */
export const PUSH_BATCH_EVENTS = 1_000;
/** Bytes of one event as JSON. */
export const PUSH_EVENT_BYTES = 32_000;
/** Days for which accepted events are stored and duplicates are detected. */
export const PUSH_EVENT_DAYS = 90;
/** Receipts are stored for developers of the sender: this many per app, for this long. */
export const PUSH_RECEIPTS_KEPT = 100;
export const PUSH_RECEIPT_DAYS = 7;
/** Receipts shown, and the maximum stored for one call. */
export const PUSH_RECEIPTS_SHOWN = LIST_LIMITS.pushReceipts;
