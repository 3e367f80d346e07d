/** What other modules may use of `sources`. */
export { AccountLookbacks } from './account-lookbacks.service.js';
export { SourceWindowsService } from './source-windows.service.js';
export { importSource } from './import-sources.js';
export { parseSourceSettings } from './source-settings.js';
export { SourceSettingsBody } from './sources.dto.js';
export { SourcesModule } from './sources.module.js';
export { type OpenSource, SourcesService } from './sources.service.js';
