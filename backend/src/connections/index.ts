/** What other modules may use of `connections`. */
export { ConnectionsModule } from './connections.module.js';
export { nextRunAt, type Schedule } from './schedule/schedule.js';
export { ScheduleBody } from './schedule/schedule.dto.js';
