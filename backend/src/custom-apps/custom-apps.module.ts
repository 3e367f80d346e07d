import { Module } from '@nestjs/common';
import { MoveSubmission } from './integration-requests/move-submission.js';
import { StaffSubmissionsController } from './integration-requests/staff-submissions.controller.js';
import { SubmissionsController } from './integration-requests/submissions.controller.js';
import { SubmissionsQueries } from './integration-requests/submissions.queries.js';
import { SubmissionsService } from './integration-requests/submissions.service.js';
import { CompiledSchemas } from './push-events/compiled-schemas.js';
import { PushController } from './push-events/push.controller.js';
import { PushEndpointController } from './push-events/push-endpoint.controller.js';
import { PushEndpointQueries } from './push-events/push-endpoint.queries.js';
import { PushEndpointService } from './push-events/push-endpoint.service.js';
import { PushedEventsSource } from './push-events/pushed-events-source.js';
import { PushedEvents } from './push-events/pushed-events.js';
import { PushKeyWatch } from './push-events/push-key-watch.js';
import { ReceiveEvents } from './push-events/receive-events.js';

@Module({
  controllers: [SubmissionsController, StaffSubmissionsController, PushEndpointController, PushController],
  providers: [
    ...[SubmissionsService, SubmissionsQueries, MoveSubmission],
    ...[PushEndpointService, PushEndpointQueries, CompiledSchemas, PushedEvents, PushedEventsSource],
    ...[ReceiveEvents, PushKeyWatch],
  ],
  exports: [PushedEvents, PushedEventsSource, PushKeyWatch],
})
export class CustomAppsModule {}
