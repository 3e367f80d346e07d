/** What other modules may use of `audit`. */
export { AppHistory, deleteOldAppEvents } from './app-history.service.js';
export { AuditModule } from './audit.module.js';
export { type AuditActor, AuditService } from './audit.service.js';
