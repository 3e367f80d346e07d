/** What other modules may use of `connections`. */
export { minutesFor } from './cost-of-connection.js';
export { type EndedAccess, expiredReason } from './expired-reason.js';
export { ConnectionFacts } from './facts/connection-facts.service.js';
export { ConnectionsModule } from './connections.module.js';
export { ConnectionEntry, ConnectionPause, HEALTHS, IsDay } from './connections.dto.js';
export { ConnectionsQueries } from './connections.queries.js';
export { PAUSE, type Streak, verdictOn } from './pausing/pause-rules.js';
export { ImportConnections, type ImportedConnection } from './import-connections.js';
export { toSchedule } from './connection-settings.js';
export { LeftOutColumns } from './excluded-columns.dto.js';
export { HashedFields } from './hashed-fields.dto.js';
export { EMPTY_POLICIES, type EmptyPolicyName, SCHEMA_POLICIES, type SchemaPolicyName } from './schema/schema.dto.js';
export { PaymentConnections } from './payment-connections.service.js';
export { nextRunAt, scheduleColumn } from './schedule/schedule.js';
export { ScheduleBody } from './schedule/schedule.dto.js';
export { FreshnessTarget, FreshnessTargetBody, toFreshnessTarget } from './freshness-target.dto.js';
