/** What other modules may use of `apps`. */
export { AppsModule } from './apps.module.js';
export { AppsService } from './apps.service.js';
export { AppAccess } from './credentials/app-access.service.js';
export { Reconnections } from './oauth/reconnections.service.js';
export { ProviderBudget } from './provider-budget.service.js';
