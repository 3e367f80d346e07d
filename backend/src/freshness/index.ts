/** What other modules may use of `freshness`. */
export { FreshnessModule } from './freshness.module.js';
