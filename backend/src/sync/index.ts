/** What other modules may use of `sync`. */
export { ConnectionAudit } from './api/destination-audits.dto.js';
export { DestinationAudits } from './api/destination-audits.service.js';
export { RunProgress, type RunStateName, RunSummary } from './api/runs.dto.js';
export { SyncService } from './api/sync.service.js';
export { SyncModule } from './sync.module.js';
