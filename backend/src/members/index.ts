/** What other modules may use of `members`. */
export { MembersModule } from './members.module.js';
