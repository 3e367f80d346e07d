import { Global, Module } from '@nestjs/common';
import { UsersModule } from '../users/index.js';
import { AccessModule } from '../access/index.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysQueries } from './api-keys/api-keys.queries.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { DeleteOrganization } from './deletion/delete-organization.js';
import { DeleterService } from './deletion/deleter.service.js';
import { ListOrganizations } from './list-organizations.js';
import { LogosController } from './logos/logos.controller.js';
import { Logos } from './logos/logos.service.js';
import { OrganizationData } from './deletion/organization-data.js';
import { OrganizationSettingsController } from './organization-settings.controller.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationSecurity } from './organization-security.js';
import { OrganizationsQueries } from './organizations.queries.js';
import { OrganizationsService } from './organizations.service.js';
import { PurgeDeletedOrganizations } from './deletion/purge-deleted-organizations.js';
import { PurgeDeletedResources } from './deletion/purge-deleted-resources.js';
import { WarnExpiringKeys } from './api-keys/warn-expiring-keys.js';

/** Global, because other modules register deleters for the specified delete endpoint. */
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
    PurgeDeletedOrganizations,
    PurgeDeletedResources,
    ApiKeysService,
    WarnExpiringKeys,
    ApiKeysQueries,
  ],
  exports: [DeleterService],
})
export class OrganizationsModule {}
