import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission } from '../access/index.js';
import { BackfillPage, BackfillsQuery } from './backfills.dto.js';
import { BackfillsQueries } from './backfills.queries.js';

@ApiTags('Backfills')
@Controller('api/v1/organizations/:organizationId/backfills')
export class OrganizationBackfillsController {
  constructor(private readonly queries: BackfillsQueries) {}

  /** Lists the backfills of all connections, newest first. */
  @Get()
  @RequirePermission('connections.read')
  listOrganizationBackfills(@CurrentActor() { organizationId }: Actor, @Query() query: BackfillsQuery): Promise<BackfillPage> {
    return this.queries.listOfOrganization(organizationId, query);
  }
}
