import { Module } from '@nestjs/common';
import { AppsModule } from '../apps/index.js';
import { BillingModule } from '../billing/index.js';
import { CatalogModule } from '../catalog/index.js';
import { CustomAppsModule } from '../custom-apps/index.js';
import { DestinationsModule } from '../destinations/index.js';
import { ConversionEventsController } from './api/conversion-events.controller.js';
import { ConversionEventsQueries } from './api/conversion-events.queries.js';
import { ReplayEvents } from './api/replay-events.js';
import { ConversionsController } from './conversions.controller.js';
import { ConversionsQueries } from './conversions.queries.js';
import { ConversionsService } from './conversions.service.js';
import { Adjustments } from './ledger/adjustments.js';
import { ConversionLedger } from './ledger/conversion-ledger.js';
import { ConversionAlerts } from './pausing/conversion-alerts.js';
import { ResumeAfterReconnect } from './pausing/resume-after-reconnect.js';
import { ConversionSetupController } from './preview/conversion-setup.controller.js';
import { PreviewConversion } from './preview/preview-conversion.js';
import { SampledEvents } from './preview/sampled-events.js';
import { SourceChoices } from './preview/source-choices.js';
import { TestConversion } from './preview/test-conversion.js';
import { TestConversionController } from './preview/test-conversion.controller.js';
import { ConversionRuns } from './run/conversion-runs.js';
import { PollRequests } from './run/poll-requests.js';
import { ReadEvents } from './run/read-events.js';
import { RecoverConversions } from './run/recover-conversions.js';
import { RunConversion } from './run/run-conversion.js';
import { SendAdjustments } from './run/send-adjustments.js';
import { SendEvents } from './run/send-events.js';
import { ImportConversions } from './import-conversions.js';
import { OpenConversion } from './settings/open-conversion.js';

@Module({
  imports: [AppsModule, BillingModule, CatalogModule, CustomAppsModule, DestinationsModule],
  controllers: [ConversionsController, ConversionEventsController, ConversionSetupController, TestConversionController],
  providers: [
    ...[
      ConversionsService,
      ConversionsQueries,
      ConversionEventsQueries,
      ReplayEvents,
      PreviewConversion,
      SampledEvents,
      TestConversion,
      SourceChoices,
      OpenConversion,
      ImportConversions,
    ],
    ...[ConversionLedger, Adjustments, ConversionAlerts, ResumeAfterReconnect],
    ...[RunConversion, RecoverConversions, ConversionRuns, ReadEvents, SendEvents, SendAdjustments, PollRequests],
  ],
  exports: [ImportConversions],
})
export class ConversionsModule {}
