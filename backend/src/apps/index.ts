/** What other modules may use of `apps`. */
export { AppsModule } from './apps.module.js';
export { importApp, saveSourceDefaults } from './import-apps.js';
export { accountsColumn } from './stored-accounts.js';
export { AppsService, assertNotDeletedIn } from './apps.service.js';
export { AuthorizedApps } from './credentials/authorized-apps.service.js';
export { RestoreAppUser } from './restore-app-user.js';
export { ProviderBudget } from './provider-budget.service.js';
