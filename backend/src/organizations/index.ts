/** What other modules may use of `organizations`. */
export { DeleterService } from './deletion/deleter.service.js';
export { logoUrlSql } from './logos/logo-url.js';
export { addMember, publishMembers, removeMember, setMemberRole } from './memberships.js';
export { OrganizationsModule } from './organizations.module.js';
export { IsTimeZone } from './time-zone.js';
