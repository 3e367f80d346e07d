/** What other modules may use of `analytics`. */
export { AnalyticsModule } from './analytics.module.js';
export { AnalyticsService, whatHappened } from './analytics.service.js';
