/** What other modules may use of `conversions`. */
export { ConversionConditionBody, type ConversionRulesBody } from './conversions.dto.js';
export { ImportConversions } from './import-conversions.js';
export { ConversionsModule } from './conversions.module.js';
