import { Global, Module } from '@nestjs/common';
import { UsersModule } from '../users/users.module.js';
import { AccessModule } from '../access/access.module.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysQueries } from './api-keys.queries.js';
import { ApiKeysService } from './api-keys.service.js';
import { DeleteOrganization } from './delete-organization.js';
import { DeleterService } from './deleter.service.js';
import { ListOrganizations } from './list-organizations.js';
import { LogosController } from './logos.controller.js';
import { Logos } from './logos.service.js';
import { OrganizationData } from './organization-data.js';
import { OrganizationSettingsController } from './organization-settings.controller.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationSecurity } from './organization-security.js';
import { OrganizationsQueries } from './organizations.queries.js';
import { OrganizationsService } from './organizations.service.js';
import { PurgeDeleted } from './purge-deleted.js';
import { PurgeThings } from './purge-things.js';
import { WarnExpiringKeys } from './warn-expiring-keys.js';

/** Global: rooms to the right register what the documented delete may delete. */
@Global()
@Module({
  imports: [AccessModule, UsersModule],
  controllers: [OrganizationsController, OrganizationSettingsController, LogosController, ApiKeysController],
  providers: [
    OrganizationsService,
    OrganizationsQueries,
    OrganizationData,
    Logos,
    ListOrganizations,
    OrganizationSecurity,
    DeleteOrganization,
    DeleterService,
    PurgeDeleted,
    PurgeThings,
    ApiKeysService,
    WarnExpiringKeys,
    ApiKeysQueries,
  ],
  exports: [DeleterService],
})
export class OrganizationsModule {}
