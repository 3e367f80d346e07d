import { Module } from '@nestjs/common';
import { OrganizationData } from './organization-data.js';
import { OrganizationsController } from './organizations.controller.js';
import { OrganizationsQueries } from './organizations.queries.js';
import { OrganizationsService } from './organizations.service.js';

@Module({ controllers: [OrganizationsController], providers: [OrganizationsService, OrganizationsQueries, OrganizationData] })
export class OrganizationsModule {}
