/** What other modules may use of `custom-apps`. */
export { addCustomParts, assertRoomForCustomApp } from './add-custom-parts.js';
export { errorsOfSchema } from './push-events/event-schema.js';
export { CustomAppsModule } from './custom-apps.module.js';
export { PUSH_VISIBILITY_MS, PushedEvents, type StoredPushEvent } from './push-events/pushed-events.js';
export { accountOf, PushedEventsSource } from './push-events/pushed-events-source.js';
export { deleteOldPushes } from './push-events/delete-old-pushes.js';
export { PushKeyWatch } from './push-events/push-key-watch.js';
export { savePushSchema } from './push-events/save-push-schema.js';
