import { Module } from '@nestjs/common';
import { BillingModule } from '../billing/index.js';
import { CatalogModule } from '../catalog/index.js';
import { DestinationsModule } from '../destinations/index.js';
import { SourcesModule } from '../sources/index.js';
import { SyncModule } from '../sync/index.js';
import { BackfillsController } from './backfills.controller.js';
import { BackfillsQueries } from './backfills.queries.js';
import { BackfillsService } from './backfills.service.js';
import { ContinueBackfills } from './continue-backfills.js';
import { EstimateBackfill } from './estimate-backfill.js';
import { OrganizationBackfillsController } from './organization-backfills.controller.js';
import { PlanBackfill } from './plan-backfill.js';
import { ReloadController } from './reload.controller.js';
import { ReloadDays } from './reload-days.js';
import { DropResyncTable } from './resyncs/drop-resync-table.js';
import { ResyncsController } from './resyncs/resyncs.controller.js';
import { ResyncsService } from './resyncs/resyncs.service.js';

@Module({
  imports: [BillingModule, CatalogModule, DestinationsModule, SourcesModule, SyncModule],
  controllers: [BackfillsController, OrganizationBackfillsController, ReloadController, ResyncsController],
  providers: [
    BackfillsService,
    BackfillsQueries,
    PlanBackfill,
    EstimateBackfill,
    ContinueBackfills,
    ReloadDays,
    ResyncsService,
    DropResyncTable,
  ],
})
export class BackfillsModule {}
