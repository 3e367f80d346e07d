/** What other modules may use of `configuration`. */
export { ConfigurationModule } from './configuration.module.js';
