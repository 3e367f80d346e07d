import { type DynamicModule, Module } from '@nestjs/common';
import { AccessModule } from './access/access.module.js';
import { AnalyticsModule } from './analytics/analytics.module.js';
import { AppsModule } from './apps/apps.module.js';
import { AuditModule } from './audit/audit.module.js';
import { BillingModule } from './billing/billing.module.js';
import { ConnectionsModule } from './connections/connections.module.js';
import { DestinationsModule } from './destinations/destinations.module.js';
import { InvitationsModule } from './invitations/invitations.module.js';
import { MembersModule } from './members/members.module.js';
import { OrganizationsModule } from './organizations/organizations.module.js';
import type { Env } from './platform/env.js';
import { PlatformModule } from './platform/platform.module.js';
import { SourcesModule } from './sources/sources.module.js';
import { SyncModule } from './sync/sync.module.js';
import { UsersModule } from './users/users.module.js';

@Module({})
export class AppModule {
  static with(env: Env): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.with(env),
        AccessModule,
        AuditModule,
        AnalyticsModule,
        UsersModule,
        OrganizationsModule,
        MembersModule,
        InvitationsModule,
        BillingModule,
        AppsModule,
        SourcesModule,
        DestinationsModule,
        SyncModule,
        ConnectionsModule,
      ],
    };
  }
}
