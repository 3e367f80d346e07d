/** What other modules may use of `users`. */
export { lockPerson } from './lock-person.js';
export { RevokeAccess, type Revoker } from './revoke-access.service.js';
export { UsersModule } from './users.module.js';
