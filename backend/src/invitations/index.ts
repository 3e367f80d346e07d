/** What other modules may use of `invitations`. */
export { InvitationsModule } from './invitations.module.js';
