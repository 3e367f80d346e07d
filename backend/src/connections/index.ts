/** What other modules may use of `connections`. */
export { ConnectionsModule } from './connections.module.js';
