import { Controller, Get, Param, ParseUUIDPipe, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Actor, CurrentActor, RequirePermission } from '../access/index.js';
import { FreshnessEntry, FreshnessListQuery, FreshnessPage, FreshnessQuery } from './freshness.dto.js';
import { FreshnessQueries } from './freshness.queries.js';

@ApiTags('Freshness')
@Controller('api/v1/organizations/:organizationId')
export class FreshnessController {
  constructor(private readonly queries: FreshnessQueries) {}

  /** Lists which days of each connection are complete, by the creation of the connections. The range has at most 31 days. */
  @Get('freshness')
  @RequirePermission('connections.read')
  listFreshness(@CurrentActor() { organizationId }: Actor, @Query() query: FreshnessListQuery): Promise<FreshnessPage> {
    return this.queries.listFreshness(organizationId, query, new Date());
  }

  /** Returns which days of a connection are complete, and why the others are not. The range has at most 100 days. */
  @Get('connections/:connectionId/freshness')
  @RequirePermission('connections.read')
  getFreshness(
    @CurrentActor() { organizationId }: Actor,
    @Param('connectionId', ParseUUIDPipe) connectionId: string,
    @Query() query: FreshnessQuery,
  ): Promise<FreshnessEntry> {
    return this.queries.getFreshness(organizationId, connectionId, query, new Date());
  }
}
