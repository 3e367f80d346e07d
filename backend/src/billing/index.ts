/** What other modules may use of `billing`. */
export { BillingModule } from './billing.module.js';
export { Entitlements } from './entitlements.service.js';
