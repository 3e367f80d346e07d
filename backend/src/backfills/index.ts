/** What other modules may use of `backfills`. */
export { BackfillsModule } from './backfills.module.js';
