/** What other modules may use of `sources`. */
export { CHOSEN_ACCOUNTS } from './chosen-accounts.js';
export { AccountLookbacks } from './account-lookbacks.service.js';
export { SourceWindowsService } from './source-windows.service.js';
export { SourcesModule } from './sources.module.js';
export { type OpenSource, SourcesService } from './sources.service.js';
