/** What other modules may use of `custom-apps`. */
export { addCustomParts, assertRoomForCustomApp } from './add-custom-parts.js';
export { CustomAppsModule } from './custom-apps.module.js';
export { firstIdOf, PUSH_VISIBILITY_MS, PushedEvents, type StoredPushEvent } from './push-events/pushed-events.js';
export { accountOf, PushedEventsSource } from './push-events/pushed-events-source.js';
export { PUSH_EVENT_DAYS, PUSH_RECEIPT_DAYS } from './push-events/push-limits.js';
