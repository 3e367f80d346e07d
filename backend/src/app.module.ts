import { type DynamicModule, Module } from '@nestjs/common';
import { AccessModule } from './access/index.js';
import { AlertsModule } from './alerts/index.js';
import { AnalyticsModule } from './analytics/index.js';
import { AppsModule } from './apps/index.js';
import { AuditModule } from './audit/index.js';
import { BillingModule } from './billing/index.js';
import { CatalogModule } from './catalog/index.js';
import { CustomAppsModule } from './custom-apps/index.js';
import { ConnectionsModule } from './connections/index.js';
import { FreshnessModule } from './freshness/index.js';
import { BackfillsModule } from './backfills/index.js';
import { ConversionsModule } from './conversions/index.js';
import { ConfigurationModule } from './configuration/index.js';
import { PaymentsModule } from './payments/index.js';
import { DemoModule } from './demo/index.js';
import { DestinationsModule } from './destinations/index.js';
import { InvitationsModule } from './invitations/index.js';
import { MembersModule } from './members/index.js';
import { OrganizationsModule } from './organizations/index.js';
import { connectorSettings } from './connectors/registry.js';
import { CoreModule } from './core/core.module.js';
import { SourcesModule } from './sources/index.js';
import { SyncModule } from './sync/index.js';
import { UsersModule } from './users/index.js';

@Module({})
export class AppModule {
  /** @param source environment variables */
  static async with(source: NodeJS.ProcessEnv): Promise<DynamicModule> {
    return {
      module: AppModule,
      imports: [
        await CoreModule.with(source, connectorSettings),
        AccessModule,
        AuditModule,
        AlertsModule,
        AnalyticsModule,
        UsersModule,
        OrganizationsModule,
        MembersModule,
        InvitationsModule,
        BillingModule,
        AppsModule,
        CatalogModule,
        CustomAppsModule,
        SourcesModule,
        DestinationsModule,
        SyncModule,
        ConnectionsModule,
        FreshnessModule,
        BackfillsModule,
        ConversionsModule,
        PaymentsModule,
        ConfigurationModule,
        DemoModule,
      ],
    };
  }
}
