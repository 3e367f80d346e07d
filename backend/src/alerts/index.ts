/** What other modules may use of `alerts`. */
export { Alerts, type NewAlert } from './alerts.service.js';
export { type RuleEvent, ruleEvents } from './alert-kinds.js';
export { MAX_ENDPOINTS, WebhookEndpointsService } from './webhooks/webhook-endpoints.service.js';
export { assertEvents, MAX_RULES } from './rules/notification-rules.service.js';
export { AlertsModule } from './alerts.module.js';
export { removeRecipient } from './rules/remove-recipient.js';
export { createDefaultRules } from './rules/default-rules.js';
export type { FreshnessEvent } from './alert-kinds.js';
export { importRule, updateImportedRule } from './import-notifications.js';
export { notifyRules } from './notify/notify-rules.js';
export type { Message } from './webhooks/messages.js';
