/** What other modules may use of `conversions`. */
export { ConversionsModule } from './conversions.module.js';
