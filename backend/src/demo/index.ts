/** What other modules may use of `demo`. */
export { DemoModule } from './demo.module.js';
