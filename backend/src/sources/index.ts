/** What other modules may use of `sources`. */
export { CHOSEN_ACCOUNTS } from './chosen-accounts.js';
export { LearnedWindows } from './learned-windows.service.js';
export { SourceWindowsService } from './source-windows.service.js';
export { SourcesModule } from './sources.module.js';
export { type OpenSource, SourcesService } from './sources.service.js';
